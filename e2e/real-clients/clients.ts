import type { RealClient } from './real-client.ts'

const claudeCode: RealClient = {
  name: 'Claude Code',
  setup: 'claude-code',
  package: '@anthropic-ai/claude-code',
  program: 'node_modules/.bin/claude',
  args: (prompt) => ['-p', prompt, '--output-format', 'json', '--allowedTools', 'Bash'],
  runs: (command) => ({ name: 'Bash', input: { command, description: 'Runs it' } }),
}

const codex: RealClient = {
  name: 'Codex',
  setup: 'codex',
  package: '@openai/codex',
  program: 'node_modules/.bin/codex',
  args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  runs: (command) => ({ name: 'exec_command', input: { cmd: command } }),
}

const geminiCli: RealClient = {
  name: 'Gemini CLI',
  setup: 'gemini-cli',
  package: '@google/gemini-cli',
  program: 'node_modules/.bin/gemini',
  args: (prompt) => ['-p', prompt, '--yolo', '--skip-trust', '--output-format', 'json'],
  runs: (command) => ({ name: 'run_shell_command', input: { command } }),
}

const opencode: RealClient = {
  name: 'OpenCode',
  setup: 'opencode',
  package: 'opencode-ai',
  program: 'node_modules/.bin/opencode',
  args: (prompt) => ['run', prompt],
  env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_PERMISSION: '"allow"' },
  runs: (command) => ({ name: 'bash', input: { command, description: 'Runs it' } }),
}

const aider: RealClient = {
  name: 'aider',
  setup: 'aider',
  package: 'aider-chat',
  program: 'bin/aider',
  args: (prompt) => [
    ...['--edit-format', 'whole', '--no-git', '--yes-always', '--no-check-update', '--no-analytics'],
    ...['--auto-test', '--test-cmd', 'grep 42 notes.txt', '--message', prompt, 'notes.txt'],
  ],
}

export const realClients: readonly RealClient[] = [claudeCode, codex, geminiCli, opencode, aider]
