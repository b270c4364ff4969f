# A formula for a tap. Until the package is published, its file is named by the environment:
#   HOMEBREW_SCREENER_TARBALL=$PWD/signal-screener-0.1.0.tgz brew install --formula ./screener.rb
# The release job fills in `url` and `sha256`.
class Screener < Formula
  desc "Crypto screener's cards, outcomes and statistics, with every credit accounted for"
  url "file://#{ENV.fetch("HOMEBREW_SCREENER_TARBALL")}"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    bash_completion.install "completions/screener.bash" => "screener"
    zsh_completion.install "completions/_screener"
    fish_completion.install "completions/screener.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/screener --version")
    assert_match "\"id\":", shell_output("#{bin}/screener --demo signals ls -n 1 --ndjson --quiet")
  end
end
