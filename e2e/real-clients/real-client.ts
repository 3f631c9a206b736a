import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentSetup } from '@tollgate/contract'
import type { ScriptedCall } from '../strict/model.ts'

/** A coding agent as it is installed from its registry. */
export interface RealClient {
  readonly name: string
  /** In `GET /api/agents/setups`, whose settings it is started with. */
  readonly setup: string
  /** As its registry calls it. */
  readonly package: string
  /** Below the directory of clients. */
  readonly program: string
  /** Arguments that make it do one thing and end. */
  args(prompt: string): readonly string[]
  /** What keeps it from calling anybody else. */
  readonly env?: Readonly<Record<string, string>>
  /** A call of its tool that runs a command; absent for a client that edits by text. */
  readonly runs?: (command: string) => ScriptedCall
}

/** Where a client works. */
export interface Place {
  /** Its home: settings are written here. */
  readonly home: string
  /** The files that it works on. */
  readonly work: string
}

export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** The directory in which clients are installed (docs/agents.md); undefined where none are. */
const directory = process.env.TEST_CLIENTS

export const programOf = ({ program }: RealClient): string | undefined => {
  const path = directory === undefined ? undefined : join(directory, program)
  return path !== undefined && existsSync(path) ? path : undefined
}

/** `export NAME=word` of a setup; a word may stand in quotes. */
const exported = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^export (\w+)='?([^'\n]*)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

/** Starts a client with a setup in which `masked` stands for the key, and waits for its end, at most so many milliseconds. */
export const runClient = async (
  client: RealClient,
  { texts }: AgentSetup,
  { masked, key }: { readonly masked: string; readonly key: string },
  { home, work }: Place,
  prompt: string,
  most = 150_000,
): Promise<Ended> => {
  const env: Record<string, string> = {}
  for (const { path, text } of texts) {
    const whole = text.replaceAll(masked, key)
    if (path === '') Object.assign(env, exported(whole))
    else {
      const file = join(home, path.replace(/^~\//, ''))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, whole)
    }
  }
  const { PATH = '' } = process.env
  const child = spawn(programOf(client) ?? client.program, client.args(prompt), {
    cwd: work,
    env: { PATH, HOME: home, NO_COLOR: '1', ...client.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: most,
    killSignal: 'SIGKILL',
  })
  let output = ''
  const keep = (chunk: Buffer): void => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, output: `${output}\n${error.message}` }))
    child.on('close', (code) => resolve({ code, output }))
  })
}
