import { expect, it } from 'vitest'
import { applications, languages, libraries } from './known-programs.ts'
import { programByInstructions, programOf } from './program-of.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

it.each([
  ['claude-cli/2.1.332 (external, cli)', 'Claude Code'],
  ['codex_cli_rs/0.171.0 (Ubuntu 24.4.0; x86_64) xterm-256color', 'Codex'],
  ['codex_exec/0.171.0 (Debian 13.0.0; x86_64) unknown', 'Codex'],
  ['codex-tui/0.171.0 (Mac OS 26.1.0; arm64) iTerm.app', 'Codex'],
  ['GeminiCLI/0.61.0/gemini-3.1-pro-preview (linux; x64; terminal)', 'Gemini CLI'],
  ['GeminiCLI-tui/0.58.0/gemini-3-flash (linux; x64; terminal)', 'Gemini CLI'],
  ['opencode/1.18.33 ai-sdk/provider-utils/4.0.1 runtime/bun/1.3.2', 'OpenCode'],
  ['opencode2/2.0.0', 'OpenCode'],
  ['Kilo-Code/7.7.7 ai-sdk/provider-utils/3.0.0', 'Kilo Code'],
  ['kilo/latest/7.7.7/cli', 'Kilo Code'],
  ['RooCode/3.51.1', 'Roo Code'],
  ['Cline/3.0.65', 'Cline'],
  ['QwenCode/0.24.4 (linux; x64)', 'Qwen Code'],
  ['Continue-CLI/1.5.47', 'Continue'],
  ['Charm-Crush/v0.97.1 (https://charm.land/crush)', 'Crush'],
  ['pi/0.73.1', 'pi'],
  ['factory-cli/0.89.0 (darwin; arm64)', 'Droid'],
  ['litellm/1.80.0', 'LiteLLM'],
  ['OpenAI/Python 2.9.0', 'OpenAI SDK (Python)'],
  ['AsyncOpenAI/Python 2.9.0', 'OpenAI SDK (Python)'],
  ['AsyncAzureOpenAI/Python 2.9.0', 'OpenAI SDK (Python)'],
  ['OpenAI/JS 6.10.0', 'OpenAI SDK (JavaScript)'],
  ['OpenAI/Go 3.8.1', 'OpenAI SDK (Go)'],
  ['OpenAI/2.7.0 (.NET 10.0.0; Ubuntu 24.04)', 'OpenAI SDK'],
  ['Anthropic/Python 0.75.0', 'Anthropic SDK (Python)'],
  ['AsyncAnthropicBedrock/Python 0.75.0', 'Anthropic SDK (Python)'],
  ['Anthropic/JS 0.71.2', 'Anthropic SDK (JavaScript)'],
  ['google-genai-sdk/1.43.0 gl-python/3.12.3', 'Google Gen AI SDK (Python)'],
  ['google-genai-sdk/1.41.0 gl-node/v22.19.0', 'Google Gen AI SDK (JavaScript)'],
  ['ai-sdk/openai-compatible/1.0.22 ai-sdk/provider-utils/3.0.17 runtime/bun/1.3.2', 'Vercel AI SDK'],
  ['curl/8.14.1', 'curl'],
  ['python-requests/2.32.5', 'Python requests'],
  ['python-httpx/0.28.1', 'Python httpx'],
  ['Python/3.13 aiohttp/3.13.2', 'Python aiohttp'],
  ['node', 'Node.js'],
  ['Go-http-client/2.0', 'Go'],
  [chrome, 'Chrome'],
  [chrome.replace('Chrome/', 'HeadlessChrome/'), 'Chrome'],
  [`${chrome} Edg/142.0.0.0`, 'Edge'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox'],
  ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15', 'Safari'],
  [chrome.replace('Chrome/', 'CherryStudio/1.7.0 Chrome/'), 'Cherry Studio'],
])('%s is %s', (agent, name) => {
  expect(programOf({ 'user-agent': agent })).toBe(name)
})

it.each([
  [{ 'user-agent': 'OpenAI/JS 6.10.0', 'x-title': 'Cline' }, 'Cline'],
  [{ 'user-agent': 'OpenAI/Python 2.9.0', 'x-title': 'Aider' }, 'aider'],
  [{ 'user-agent': 'OpenAI/Python 2.9.0', 'x-title': 'My own program' }, 'OpenAI SDK (Python)'],
  [{ 'user-agent': 'Anthropic/JS 0.71.2', 'x-app': 'cli' }, 'Claude Code'],
  [{ originator: 'codex_cli_rs' }, 'Codex'],
  [{ 'user-agent': 'ai-sdk/anthropic/2.0.1', 'x-opencode-session': 'ses_1' }, 'OpenCode'],
  [{ 'user-agent': 'Cline/3.0.65', originator: 'codex_cli_rs' }, 'Cline'],
  [{ 'x-stainless-lang': 'js', 'x-stainless-package-version': '6.10.0' }, 'OpenAI SDK (JavaScript)'],
  [{ 'x-stainless-lang': 'python', 'anthropic-version': '2023-06-01' }, 'Anthropic SDK (Python)'],
  [{ 'x-goog-api-client': 'google-genai-sdk/1.43.0 gl-python/3.12.3' }, 'Google Gen AI SDK (Python)'],
])('%o is %s', (headers, name) => {
  expect(programOf(headers)).toBe(name)
})

it.each([
  ['MyBot/1.0 (https://example.com)', 'MyBot'],
  ['my-bot', 'my-bot'],
  ['<script>alert(1)</script>', 'scriptalert'],
  ['机器人/1', undefined],
  ['', undefined],
  [`${'x'.repeat(10_000)}/1`, 'x'.repeat(40)],
])('of a program that nobody knows, the first product is its name: %s', (agent, name) => {
  expect(programOf({ 'user-agent': agent })).toBe(name)
})

it.each([
  ['OpenAI SDK (JavaScript)', 'You are the GitHub Copilot CLI, a terminal assistant built by GitHub.', 'Copilot CLI'],
  [
    'Anthropic SDK (JavaScript)',
    'You are the GitHub Copilot CLI, a terminal assistant built by GitHub.',
    'Copilot CLI',
  ],
  ['Vercel AI SDK', 'You are Cline, an AI coding agent. Your primary goal is to assist', 'Cline'],
  [
    'OpenAI SDK (JavaScript)',
    'You are an expert coding assistant operating inside pi, a coding agent harness. You help users',
    'pi',
  ],
  [undefined, 'You are Cline, an AI coding agent.', 'Cline'],
  ['OpenAI SDK (Python)', 'You are Clinebell, a bot.', 'OpenAI SDK (Python)'],
  ['MyBot', 'You are Cline, an AI coding agent.', 'MyBot'],
  ['Claude Code', 'You are Cline, an AI coding agent.', 'Claude Code'],
  ['curl', '', 'curl'],
])('a library that says nothing more is the program whose instructions it sends: %s, %s', (program, text, name) => {
  expect(programByInstructions(program, () => text)).toBe(name)
})

it('instructions of a program that names itself are not looked at', () => {
  expect(programByInstructions('Codex', () => expect.fail())).toBe('Codex')
})

it('who sends nothing has no name', () => {
  expect(programOf({})).toBeUndefined()
  expect(programOf({ accept: '*/*' })).toBeUndefined()
})

it('names that are listed are short, and no two programs share one', () => {
  const longest = Math.max(...[...languages.values()].map((language) => ` (${language})`.length))
  const names = [...applications.map(({ name }) => name.length), ...libraries.map(({ name }) => name.length + longest)]
  expect(Math.max(...names)).toBeLessThanOrEqual(40)
  const all = [...applications, ...libraries].map(({ name }) => name)
  expect(new Set(all).size).toBe(all.length)
})
