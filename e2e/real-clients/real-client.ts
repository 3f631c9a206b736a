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
  args(prompt: string, home: string): readonly string[]
  /** Arguments with which it keeps the fields of its settings' screen; absent for a client that reads files. */
  signIn?(field: (name: string) => string): readonly string[]
  /** Set where it lets the provider store what it asks for by Responses. */
  readonly stores?: true
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

/** Starts a program, and waits for its end, at most so many milliseconds. */
const runProgram = (
  program: string,
  args: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
  most: number,
): Promise<Ended> => {
  const child = spawn(program, args, {
    cwd,
    env,
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

/** Starts a client with a setup in which `masked` stands for the key, and waits for its end, at most so many milliseconds. */
export const runClient = async (
  client: RealClient,
  { texts }: AgentSetup,
  { masked, key }: { readonly masked: string; readonly key: string },
  { home, work }: Place,
  prompt: string,
  most = 150_000,
): Promise<Ended> => {
  const exports: Record<string, string> = {}
  const fields = new Map<string, string>()
  for (const { path, text } of texts) {
    const whole = text.replaceAll(masked, key)
    if (path === '') {
      Object.assign(exports, exported(whole))
      for (const [, name = '', value = ''] of whole.matchAll(/^([A-Z][\w ]+): (.+)$/gm)) fields.set(name, value)
    } else {
      const file = join(home, path.replace(/^~\//, ''))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, whole)
    }
  }
  const { PATH = '' } = process.env
  const place = { cwd: work, env: { PATH, HOME: home, NO_COLOR: '1', ...client.env, ...exports } }
  const program = programOf(client) ?? client.program
  if (client.signIn !== undefined) {
    const signedIn = await runProgram(
      program,
      client.signIn((name) => fields.get(name) ?? ''),
      place,
      most,
    )
    if (signedIn.code !== 0) return signedIn
  }
  return runProgram(program, client.args(prompt, home), place, most)
}
