import type { StrictUpstream } from '../strict/upstream.ts'
import type { Person } from '../support/operator.ts'

/**
 * An official client or agent that the matrix of clients runs through the built gateway. A new one is a file in `sdks/` or `agents/`,
 * a line in the list of that folder, and its versions in `pinned.json`.
 */
export interface Client {
  /** Its row in the matrix. */
  readonly name: string
  readonly registry: Registry
  /** As the registry calls them, all pinned in `pinned.json`. The version of the first one is shown in the matrix. */
  readonly packages: readonly string[]
  /** The providers behind the gateway that it is run with. */
  readonly upstreams: readonly UpstreamKind[]
  /**
   * Runs the client and returns one cell for each check at each upstream. An error that it throws is one failed cell at every upstream.
   */
  run(context: Context): Promise<readonly Cell[]>
}

export type Registry = 'npm' | 'pypi'

/** The language of the provider behind the gateway; DeepSeek's is chat completions that think, and want their thoughts back. */
export type UpstreamKind = 'chat' | 'deepseek' | 'responses' | 'anthropic' | 'gemini'

export const upstreamKinds: readonly UpstreamKind[] = ['chat', 'deepseek', 'responses', 'anthropic', 'gemini']

/** One check of one client at one upstream. */
export interface Cell {
  readonly upstream: UpstreamKind
  /** A short name, the same in every run: the comparison goes by it. */
  readonly check: string
  /** Why it failed; absent when it passed. */
  readonly reason?: string
}

/** Surroundings of a client's run. */
export interface Context {
  /** The gateway's address, without `/v1`. */
  readonly url: string
  /** The operator at the console's interface, for instance for `GET /api/agents/setups`. */
  readonly operator: Person
  /** The provider of all kinds: `play` starts a script, `complaints`, `received` and `charged` tell what came of it. */
  readonly upstream: StrictUpstream
  /** A model that the provider of this kind serves. It thinks where models of that kind do. */
  readonly models: Readonly<Record<UpstreamKind, string>>
  /** The folder of the installation: `node_modules/.bin/…` of npm, `bin/…` of a virtual environment of Python. */
  readonly installed: string
  /** An empty folder that is removed when the client has run. */
  readonly temp: string
  /** Opens a separate API key, by which the log is searched for the calls of this client. */
  openKey(): Promise<OpenedKey>
}

export interface OpenedKey {
  /** `sk-…`. */
  readonly key: string
  /** Of the token, as `/api/agents/setups?token=` takes it. */
  readonly id: number
  /**
   * Compares what the log says of this key's calls with what the provider has charged since `play`, in any order: tokens, cached
   * tokens and quota. Waits for the rows. Undefined when all agree, else the first difference.
   */
  checkBills(): Promise<string | undefined>
}
