import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentSetup } from '@tollgate/contract'
import type { ReceivedRequest, ScriptedCall, Step } from '../../strict/model.ts'
import type { Context, OpenedKey, Registry, UpstreamKind } from '../client.ts'
import { type Ended, runProgram } from './run-program.ts'

/** A coding agent as it is installed from its registry. */
export interface Agent {
  readonly name: string
  /** In `GET /api/agents/setups`, whose settings it is started with. */
  readonly setup: string
  /** As its registry calls it. */
  readonly package: string
  /** npm unless it says otherwise. */
  readonly registry?: Registry
  /** Below the folder of the installation. */
  readonly program: string
  /** Install script of the package, below the same folder. It is run here because npm does not run install scripts by default. */
  readonly prepared?: string
  /** Arguments that make it do one thing and end. */
  args(prompt: string, home: string): readonly string[]
  /** Arguments with which it keeps the fields of its settings' screen; absent for a client that reads files. */
  signIn?(field: (name: string) => string): readonly string[]
  /** Set where it lets the provider store what it asks for by Responses. */
  readonly stores?: true
  /** Variables that prevent calls to other servers. */
  readonly env?: Readonly<Record<string, string>>
  /** A call of its tool that runs a command; absent for a client that edits by text. */
  readonly runs?: (command: string) => ScriptedCall
  /** Tests beside a loop with tools. */
  readonly scenes?: readonly Scene[]
}

/** Something that one agent does, and how the gateway has to take it. */
export interface Scene {
  /** Its cell in the matrix. */
  readonly check: string
  readonly upstreams: readonly UpstreamKind[]
  /** Undefined when it went well, else why it did not. */
  play(stage: Stage): Promise<string | undefined>
}

/** One run of an agent: a home without anything, a folder with notes, and a key of its own. */
export interface Stage {
  readonly context: Context
  readonly kind: UpstreamKind
  readonly model: string
  readonly key: OpenedKey
  readonly place: Place
  /** Starts a script with which the provider answers; titles and the like are answered beside it. */
  play(steps: readonly Step[], aside?: Aside): void
  /** Starts the agent with the site's settings and waits for its end. */
  run(prompt: string, changes?: RunChanges): Promise<Ended>
}

/** Answers what is no part of the script; undefined for what is. */
export type Aside = (request: ReceivedRequest) => Step | undefined

export interface RunChanges {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The model in the settings; that of the provider unless it says otherwise. */
  readonly model?: string
  /** Settings of the agent's own instead of the site's: text by path below its home. */
  readonly files?: Readonly<Record<string, string>>
}

/** Folders of an agent. */
export interface Place {
  /** Its home: settings are written here. */
  readonly home: string
  /** The files that it works on. */
  readonly work: string
}

/** `export NAME=word` of a setup; a word may stand in quotes. */
const exported = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^export (\w+)='?([^'\n]*)'?$/gm)].map(([, name = '', value = '']) => [name, value]),
  )

const write = (home: string, path: string, text: string): void => {
  const file = join(home, path.replace(/^~\//, ''))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

interface Setups {
  readonly key: string
  readonly setups: readonly AgentSetup[]
}

/** Writes the files of a setup, and returns its exports for a shell and the fields of its screen. */
const settingsOf = ({ texts }: AgentSetup, whole: (text: string) => string, home: string) => {
  const exports: Record<string, string> = {}
  const fields = new Map<string, string>()
  for (const { path, text } of texts) {
    if (path !== '') write(home, path, whole(text))
    else {
      Object.assign(exports, exported(whole(text)))
      for (const [, name = '', value = ''] of whole(text).matchAll(/^([A-Z][\w ]+): (.+)$/gm)) fields.set(name, value)
    }
  }
  return { exports, fields }
}

/** Milliseconds that an agent has for its task. */
const most = 150_000

/** Starts an agent with the site's settings for it, and waits for its end. */
export const runAgent = async (
  agent: Agent,
  { context, key, place, model: usual }: Pick<Stage, 'context' | 'key' | 'place' | 'model'>,
  prompt: string,
  { args = [], env = {}, model = usual, files }: RunChanges,
): Promise<Ended> => {
  const { operator, url, installed } = context
  const query = new URLSearchParams({ token: String(key.id), models: model, address: url })
  const { key: masked, setups } = await operator.must<Setups>('GET', `/api/agents/setups?${query}`)
  const setup = setups.find(({ id }) => id === agent.setup)
  if (setup === undefined) throw new Error(`the site has no settings for ${agent.name}`)
  const { exports, fields } = settingsOf(setup, (text) => text.replaceAll(masked, key.key), place.home)
  for (const [path, text] of Object.entries(files ?? {})) write(place.home, path, text)
  const { PATH = '' } = process.env
  const environment = { PATH, HOME: place.home, NO_COLOR: '1', ...agent.env, ...exports, ...env }
  const started = { cwd: place.work, env: environment, most }
  const program = join(installed, agent.program)
  if (agent.signIn !== undefined) {
    const signedIn = await runProgram(
      program,
      agent.signIn((name) => fields.get(name) ?? ''),
      started,
    )
    if (signedIn.code !== 0) return signedIn
  }
  return runProgram(program, [...agent.args(prompt, place.home), ...args], started)
}
