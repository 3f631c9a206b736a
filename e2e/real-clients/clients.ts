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

const kiloCli: RealClient = {
  name: 'Kilo Code CLI',
  setup: 'kilo-cli',
  package: '@kilocode/cli',
  program: 'node_modules/.bin/kilo',
  args: (prompt) => ['run', prompt],
  env: { KILO_DISABLE_MODELS_FETCH: '1', KILO_DISABLE_AUTOUPDATE: '1', KILO_PERMISSION: '"allow"' },
  runs: (command) => ({ name: 'bash', input: { command, description: 'Runs it' } }),
}

const pi: RealClient = {
  name: 'pi',
  setup: 'pi',
  package: '@mariozechner/pi-coding-agent',
  program: 'node_modules/.bin/pi',
  args: (prompt) => ['-p', prompt],
  env: { PI_OFFLINE: '1' },
  runs: (command) => ({ name: 'bash', input: { command } }),
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

const qwenCode: RealClient = {
  name: 'Qwen Code',
  setup: 'qwen-code',
  package: '@qwen-code/qwen-code',
  program: 'node_modules/.bin/qwen',
  args: (prompt) => ['-p', prompt, '--yolo', '--output-format', 'json'],
  // What a command prints gets lost now and then where it ends at once.
  runs: (command) => ({
    name: 'run_shell_command',
    input: { command: `${command}; sleep 1`, description: 'Runs it', is_background: false },
  }),
}

const continueCli: RealClient = {
  name: 'Continue',
  setup: 'continue',
  package: '@continuedev/cli',
  program: 'node_modules/.bin/cn',
  args: (prompt, home) => ['-p', prompt, '--auto', '--config', `${home}/.continue/config.yaml`],
  env: { CONTINUE_TELEMETRY_ENABLED: '0' },
  stores: true,
  runs: (command) => ({ name: 'Bash', input: { command } }),
}

/** Takes the fields of its screen as arguments. */
const cline: RealClient = {
  name: 'Cline',
  setup: 'cline',
  package: 'cline',
  program: 'node_modules/.bin/cline',
  signIn: (field) => [
    ...['auth', '--provider', 'openai-compatible', '--apikey', field('API Key')],
    ...['--baseurl', field('Base URL'), '--modelid', field('Model ID')],
  ],
  args: (prompt) => ['--auto-approve', 'true', prompt],
  runs: (command) => ({ name: 'run_commands', input: { commands: [command] } }),
}

export const realClients: readonly RealClient[] = [
  claudeCode,
  codex,
  geminiCli,
  opencode,
  kiloCli,
  pi,
  aider,
  qwenCode,
  continueCli,
  cline,
]
