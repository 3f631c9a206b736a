import type { Database } from '#server/db/database.ts'
import { openAudit } from '#server/features/audit/audit.ts'
import { openKeptFiles } from '#server/features/kept-files/kept-files.ts'
import { type EndedJob, openJobParts } from '#server/jobs/job-ends.ts'
import { silentLog } from '#server/lib/log.ts'
import { openBus } from '#server/lib/redis/bus.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { openProviderJobs } from '#server/relay/provider-jobs/provider-jobs.ts'
import type { Maker } from '#server/relay/reader.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import {
  type LedgerGateway,
  type LedgerGatewayParts,
  openLedgerGateway,
} from '#server-test/support/gateway/ledger-listener.ts'
import { openBatchConsole, openBatches } from '../server/join.ts'

const secrets = openSecrets({ cryptoSecret: 'for batches', keyFile: '/nowhere' })

const usualOptions = {
  BatchLinesAtOnce: 4,
  BatchProcessLinesAtOnce: 8,
  BatchMostLines: 1000,
  BatchMostOpen: 5,
  BatchProviderChannels: [] as readonly string[],
}

/** The value of a JSON text; undefined for other texts, such as lines of JSON. */
const jsonIn = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A line of a file for OpenAI's batches. */
export const chatLine = (name: string, body: object = {}): string =>
  JSON.stringify({
    custom_id: name,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'gpt-4o', messages: [{ role: 'user', content: name }], ...body },
  })

/**
 * A gateway over a real ledger, with batches, whose upstream does what a test says. `remain` is the quota of the key, which has no bound
 * where it is absent; `more` replaces parts of the gateway, and options.
 */
export const openBatchScene = async (
  database: Database,
  remain?: number,
  more: {
    readonly relay?: LedgerGatewayParts['relay']
    readonly price?: LedgerGatewayParts['price']
    readonly options?: Partial<typeof usualOptions>
    readonly deadlines?: LedgerGatewayParts['deadlines']
    /** Public address of the site; none where it is absent. */
    readonly serverAddress?: string | undefined
    readonly journalMs?: number
  } = {},
) => {
  const options: Readonly<Record<string, unknown>> = { ...usualOptions, ...more.options }
  let late = 0
  const clock = (): number => Date.now() + late
  const keptFiles = openKeptFiles({
    database,
    secrets,
    clock,
    bounds: () => ({ ofFile: 100_000_000, ofPayer: 0, days: 30 }),
  })
  const logged: unknown[] = []
  const bus = openBus({ nodeName: 'one', log: silentLog })
  const hooksOf = () => openJobParts({ secrets, serverAddress: () => more.serverAddress ?? '' })
  const { jobEnds, jobFigures, jobHooks, channelHooks } = hooksOf()
  const ends: EndedJob[] = []
  jobEnds.listen({ write: async (_, end) => void ends.push(end), ended: () => {} })
  const kit = {
    database,
    secrets,
    clock,
    keptFiles,
    jobEnds,
    jobFigures,
    jobHooks,
    channelHooks,
    bus,
    config: { isSlave: false, maxRequestBytes: 1_000_000, nodeName: 'one' },
    log: { warn: (event: string, fields?: object) => void logged.push([event, fields]) },
    options: { get: (key: string) => options[key] as never },
    lookEveryMs: 50,
    journalMs: more.journalMs ?? 200,
  }
  const batches = openBatches(kit)
  const scene: LedgerGateway = await openLedgerGateway(database, {
    balance: 100_000_000,
    moduleRoutes: batches.calls,
    deadlines: more.deadlines,
    ...(more.relay && { relay: more.relay }),
    ...(more.price && { price: more.price }),
    ...(remain === undefined ? {} : { remain }),
  })
  const { listener, parts } = scene.gateway
  const openJobs = () => openProviderJobs({ ...parts, keyHashOf: parts.storedResponses.keyHashOf })
  const gatewayKit = { ...listener, openProviderJobs: openJobs }
  batches.useGateway(gatewayKit)
  const maker: Maker = { userId: scene.userId, tokenId: scene.tokenId, projectId: 0, memberId: 0 }

  return {
    scene,
    maker,
    /** The console's calls as a person makes them. */
    consoleOf: (person: { readonly id: number; readonly role?: number }): SignedIn =>
      signedIn(
        (on) =>
          openBatchConsole(
            { ...kit, logDatabase: database, audit: openAudit(database, clock), on },
            { store: batches.store, chunks: batches.chunks, creation: batches.creation },
          ),
        person,
      ),
    logged,
    keptFiles,
    /** Ends that the module wrote. */
    ends,
    jobFigures,
    gatewayKit,
    /** A second process on the same database. */
    another: (nodeName = 'two') => openBatches({ ...kit, config: { ...kit.config, nodeName } }),
    jobHooks,
    channelHooks,
    /** A second process that answers calls of providers, and whose addresses are the same. */
    answering() {
      const { jobHooks: hooks, channelHooks: accounts } = hooksOf()
      const config = { ...kit.config, nodeName: 'answering' }
      return { hooks, accounts, batches: openBatches({ ...kit, jobHooks: hooks, channelHooks: accounts, config }) }
    },
    /** Moves the clock. */
    pass(seconds: number): void {
      late += seconds * 1000
    },
    file: async (lines: readonly string[], purpose = 'batch'): Promise<string> => {
      const bytes = async function* (): AsyncGenerator<Buffer> {
        yield Buffer.from(lines.join('\n'))
      }
      return (await keptFiles.create({ maker, filename: 'in.jsonl', purpose, contentType: '' }, bytes())).id
    },
    async textOf(id: string): Promise<string> {
      const parts: Buffer[] = []
      for await (const part of keptFiles.open({ id })) parts.push(part)
      return Buffer.concat(parts).toString()
    },
    call: async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const answer = await fetch(scene.gateway.url + path, {
        method,
        headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, text, json: jsonIn(text) }
    },
    async close() {
      await batches.close()
      await scene.close()
    },
  }
}

export type BatchScene = Awaited<ReturnType<typeof openBatchScene>>
