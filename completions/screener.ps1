# PowerShell completion for screener.

Register-ArgumentCompleter -Native -CommandName screener -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @()
    $typed = ''
    foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {
        if ($element.Extent.StartOffset -ge $cursorPosition) { break }
        $isText = $element -is [System.Management.Automation.Language.StringConstantExpressionAst]
        $text = if ($isText) { $element.Value } else { $element.Extent.Text }
        if ($element.Extent.EndOffset -lt $cursorPosition) { $words += $text } else { $typed = $text }
    }
    # PowerShell replaces its own last word alone, which a comma begins anew.
    $before = ''
    if ($typed.EndsWith($wordToComplete)) { $before = $typed.Substring(0, $typed.Length - $wordToComplete.Length) }
    # It hands no empty word on to a program: the last one is joined to an option.
    foreach ($line in (& screener complete "--last=$typed" @words 2>$null)) {
        $word, $about = $line -split "`t", 2
        if ($word -eq ':nospace') { continue }
        if ($word -eq ':directory' -or $word -eq ':file') {
            $option = if ($wordToComplete -match '^--[^=]*=') { $Matches[0] } else { '' }
            $path = $wordToComplete.Substring($option.Length)
            foreach ($found in [System.Management.Automation.CompletionCompleters]::CompleteFilename($path)) {
                if ($word -eq ':directory' -and $found.ResultType -ne 'ProviderContainer') { continue }
                [System.Management.Automation.CompletionResult]::new(
                    $option + $found.CompletionText, $found.ListItemText, $found.ResultType, $found.ToolTip)
            }
            continue
        }
        if ($word.StartsWith($before)) { $word = $word.Substring($before.Length) }
        if (-not $about) { $about = $word }
        $text = if ($word -match '[^\w,./:=+-]') { "'" + $word + "'" } else { $word }
        [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $about)
    }
}
