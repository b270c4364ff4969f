# fish completion for screener.

function __screener_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -l before (string match -r '^--[^=]*=' -- $typed)
    for line in (command screener complete $words[2..] $typed 2>/dev/null)
        switch $line
            case ':nospace*'
            case ':directory*'
                __fish_complete_directories (string replace -- "$before" '' $typed) '' | string replace -r '^' -- "$before"
            case ':file*'
                __fish_complete_path (string replace -- "$before" '' $typed) | string replace -r '^' -- "$before"
            case '*'
                echo $line
        end
    end
end

complete -c screener -e
complete -c screener -f -k -a '(__screener_complete)'
