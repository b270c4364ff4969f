# bash completion for screener.

_screener() {
  local words typed before= kept= value found i n=0
  # Readline breaks words at "=": --output=json is three of them.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    typed=${COMP_WORDS[i]//\\/}
    if ((n > 0)) && [[ $typed == = || ${COMP_WORDS[i - 1]} == = ]]; then
      words[n - 1]+=$typed
      if [[ $typed == = ]]; then before=${words[n - 1]}; fi
    else
      words[n++]=$typed
      before=
    fi
  done
  typed=${words[n - 1]}
  value=$typed
  if [[ $typed == --*=* ]]; then
    value=${typed#--*=}
    # Where "=" breaks no words, what stands before it is part of the word.
    if [[ -z $before ]]; then kept=${typed%%=*}=; fi
  fi
  COMPREPLY=()
  while IFS=$'\t' read -r found _; do
    case $found in
      :nospace) compopt -o nospace 2>/dev/null ;;
      :directory) _screener_paths -d ;;
      :file) _screener_paths -f ;;
      *)
        printf -v found %q "${found#"$before"}"
        COMPREPLY+=("${found//\\,/,}")
        ;;
    esac
  done < <(command screener complete "${words[@]}" 2>/dev/null)
}

_screener_paths() {
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do COMPREPLY+=("$kept$path"); done < <(compgen "$1" -- "$value")
}

# In the order given, where this bash can: most recent values first.
complete -o nosort -F _screener screener 2>/dev/null || complete -F _screener screener
