import type { Client } from '../client.ts'
import { agentClient } from './agent-client.ts'
import { aider } from './aider.ts'
import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { continueCli } from './continue-cli.ts'
import { copilotCli } from './copilot-cli.ts'
import { geminiCli } from './gemini-cli.ts'
import { kiloCli } from './kilo-cli.ts'
import { opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwenCode } from './qwen-code.ts'

/** Coding agents as programs, each in a file of its own. */
export const agents: readonly Client[] = [
  claudeCode,
  codex,
  copilotCli,
  geminiCli,
  opencode,
  kiloCli,
  pi,
  aider,
  qwenCode,
  continueCli,
  cline,
].map(agentClient)
