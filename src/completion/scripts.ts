/**
 * Completion scripts for shells. They know nothing of the commands: at a TAB they ask the program, by a path that loads
 * no command and sends nothing (`screener complete`), so that they are right for the version that is installed.
 */
import type { Shell } from './values.ts';

/** For bash 3.2 (macOS) and later, without the bash-completion package. */
const BASH = `# bash completion for screener.

_screener() {
  local words typed before= kept= value found i n=0
  # Readline breaks words at "=": --output=json is three of them.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    typed=\${COMP_WORDS[i]//\\\\/}
    if ((n > 0)) && [[ $typed == = || \${COMP_WORDS[i - 1]} == = ]]; then
      words[n - 1]+=$typed
      if [[ $typed == = ]]; then before=\${words[n - 1]}; fi
    else
      words[n++]=$typed
      before=
    fi
  done
  typed=\${words[n - 1]}
  value=$typed
  if [[ $typed == --*=* ]]; then
    value=\${typed#--*=}
    # Where "=" breaks no words, what stands before it is part of the word.
    if [[ -z $before ]]; then kept=\${typed%%=*}=; fi
  fi
  COMPREPLY=()
  while IFS=$'\\t' read -r found _; do
    case $found in
      :nospace) compopt -o nospace 2>/dev/null ;;
      :directory) _screener_paths -d ;;
      :file) _screener_paths -f ;;
      *)
        printf -v found %q "\${found#"$before"}"
        COMPREPLY+=("\${found//\\\\,/,}")
        ;;
    esac
  done < <(command screener complete "\${words[@]}" 2>/dev/null)
}

_screener_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$kept$path"); done < <(compgen "$1" -- "$value")
}

# In the order given, where this bash can: most recent values first.
complete -o nosort -F _screener screener 2>/dev/null || complete -F _screener screener
`;

const ZSH = `#compdef screener
# zsh completion for screener.

_screener() {
  local -a lines names shown how
  local line
  lines=("\${(@f)$(command screener complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ $PREFIX == --*=* ]]; then compset -P '*='; fi
  for line in $lines; do
    case $line in
      :nospace*) how=(-S '') ;;
      :directory) _directories; return ;;
      :file) _files; return ;;
      *)
        line=\${line#--*=}
        names+=("\${line%%$'\\t'*}")
        line=\${line#*$'\\t'}
        if [[ -n $line ]]; then shown+=("\${names[-1]//:/\\\\:}:$line"); fi
        ;;
    esac
  done
  # In the order given; small letters find capitals.
  how+=(-M 'm:{[:lower:]}={[:upper:]}')
  if (( $#shown )); then
    _describe -V value shown names "\${how[@]}"
  elif (( $#names )); then
    compadd -V value "\${how[@]}" -a names
  fi
}

# Sourced, the script registers itself; found in fpath, it is the function.
if [[ $funcstack[1] == _screener ]]; then
  _screener "$@"
else
  compdef _screener screener
fi
`;

/** For fish 3 and later. */
const FISH = `# fish completion for screener.

function __screener_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l before (string match -r '^--[^=]*=' -- $typed)
    for line in (command screener complete $words[2..] $typed 2>/dev/null)
        switch $line
            case ':nospace*'
            case :directory
                __fish_complete_directories (string replace -- "$before" '' $typed) '' | string replace -r '^' -- "$before"
            case :file
                __fish_complete_path (string replace -- "$before" '' $typed) | string replace -r '^' -- "$before"
            case '*'
                echo $line
        end
    end
end

complete -c screener -e
complete -c screener -f -k -a '(__screener_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

/** The script of a shell: what stands in `completions/`, and what `screener completion <shell>` prints. */
export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
