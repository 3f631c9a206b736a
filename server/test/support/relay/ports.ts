import type { Price } from '../../../src/billing/price.ts'
import { providerOf } from '../../../src/providers/index.ts'
import type { ModelOptions } from '../../../src/providers/provider.ts'
import type { StorageRefund } from '../../../src/relay/cached-contents/payments.ts'
import { type MadeObject, type MadeObjects, nameText } from '../../../src/relay/direct/ports.ts'
import type {
  Caller,
  Channels,
  Hold,
  Holds,
  Prices,
  Recorder,
  RelayChannel,
  RelayOptions,
  RequestBegin,
  RequestRecord,
  TokenCounter,
  UpstreamFailure,
} from '../../../src/relay/ports.ts'
import { type Maker, makerOf, mayRead } from '../../../src/relay/reader.ts'
import type { RelayParts } from '../../../src/relay/relayed-call-parts.ts'
import type { StoredResponses } from '../../../src/relay/routing/stored-responses.ts'
import type { RelayVirtualModel } from '../../../src/relay/routing/virtual/virtual-model.ts'
import { openSealPlaces } from '../../../src/relay/sessions/sealed/seal-places.ts'
import type { StoredObject, StoredObjects } from '../../../src/relay/stored/ports.ts'
import { openUndiciUpstream } from '../../../src/relay/upstream/upstream-undici.ts'
import { priceOf } from '../billing/price.ts'
import { patientTimeouts } from './timeouts.ts'

/** In-memory fakes of the relay's ports, for tests. */

export const testChannel = (changes: Partial<RelayChannel> = {}): RelayChannel => {
  const provider = providerOf(changes.type ?? 1)
  if (provider === undefined) throw new Error('no such provider')
  return {
    id: 1,
    name: 'one',
    type: 1,
    provider,
    keys: ['channel-key'],
    baseUrl: 'http://127.0.0.1:1',
    organization: '',
    other: '',
    models: new Set(['*']),
    groups: new Set(['default']),
    priority: 0,
    weight: 0,
    enabled: true,
    autoBan: true,
    modelMapping: new Map(),
    statusCodeMapping: new Map(),
    forceFormat: false,
    thinkingToContent: false,
    proxy: '',
    paramOverride: undefined,
    ...changes,
  }
}

const serves = ({ models, groups, enabled }: RelayChannel, group: string, model: string): boolean =>
  enabled && groups.has(group) && (models.has('*') || models.has(model))

export interface TestChannels extends Channels {
  readonly list: RelayChannel[]
  readonly virtualModels: RelayVirtualModel[]
  readonly reports: { readonly channel: number; readonly failure: UpstreamFailure | undefined }[]
}

export const openTestChannels = (...channels: readonly RelayChannel[]): TestChannels => {
  const list = [...channels]
  const virtualModels: RelayVirtualModel[] = []
  const serving = (group: string, model: string) => list.filter((channel) => serves(channel, group, model))
  const reports: { channel: number; failure: UpstreamFailure | undefined }[] = []
  return {
    list,
    virtualModels,
    reports,
    snapshot: () => ({
      canAnswer: (group, model) => serving(group, model).length > 0,
      serving,
      virtual: (group, name) =>
        virtualModels.find((model) => model.name === name && model.groups?.has(group) !== false),
      byId: (id) => list.find((channel) => channel.id === id),
      knows: (model) => list.some(({ models }) => models.has('*') || models.has(model)),
      modelsOf: (group) => [
        ...new Set(list.filter(({ groups }) => groups.has(group)).flatMap(({ models }) => [...models])),
      ],
    }),
    report: (channel, failure) => {
      reports.push({ channel: channel.id, failure })
    },
  }
}

export interface TestHold extends Hold {
  readonly amount: number
  end: 'held' | 'released' | number
  settle(charge: number): void
}

export interface TestHolds extends Holds {
  /** How each request's reservation ended, in order of reservation. */
  readonly ends: TestHold[]
}

/** One account for everybody with `balance` quota units. */
export const openTestHolds = (balance = 1_000_000_000, account: 'user' | 'token' = 'user'): TestHolds => {
  const ends: TestHold[] = []
  let left = balance
  return {
    ends,
    hold({ amount, spare = 0, more = false }) {
      if ((left <= 0 && !more) || left < amount + spare) return { kind: 'refused', account, remain: left, need: amount }
      const hold: TestHold = {
        quota: amount,
        amount,
        end: 'held',
        settle(charge) {
          if (hold.end !== 'held') throw new Error('settled twice')
          hold.end = charge
          left += amount - charge
        },
        release() {
          if (hold.end !== 'held') return
          hold.end = 'released'
          left += amount
        },
      }
      ends.push(hold)
      left -= amount
      return { kind: 'held', hold }
    },
  }
}

export interface TestRecorder extends Recorder {
  readonly begins: RequestBegin[]
  readonly records: RequestRecord[]
  /** Called before a record counts as written. */
  beforeEnd: (record: RequestRecord) => Promise<void> | void
}

const isTestHold = (hold: Hold | undefined): hold is TestHold => hold !== undefined && 'settle' in hold

const openTestRecorder = (): TestRecorder => {
  const begins: RequestBegin[] = []
  const records: RequestRecord[] = []
  const recorder: TestRecorder = {
    begins,
    records,
    beforeEnd: () => {},
    begin: (begin) => {
      begins.push(begin)
    },
    progress: () => {},
    charge: async (record, hold) => {
      await recorder.beforeEnd(record)
      records.push(record)
      if (isTestHold(hold)) hold.settle(record.quota)
    },
    fail: async (record) => {
      await recorder.beforeEnd(record)
      records.push(record)
    },
  }
  return recorder
}

/** Counts characters, so that tests can foresee the result. */
const characterCounter: TokenCounter = {
  text: async (_, text) => text.length,
  prompt: async (_, __, body) =>
    JSON.stringify(body.messages ?? body.contents ?? body.prompt ?? body.input ?? '').length,
}

/** Keeps everything in memory; hashes are the keys themselves. */
export const testStoredResponses = (): StoredResponses => {
  const noted = new Map<string, { maker: Maker; channelId: number; keyHash: string }>()
  return {
    keyHashOf: (key) => key,
    note: (id, maker, { channelId, key }) => {
      noted.set(id, { maker: makerOf(maker), channelId, keyHash: key })
    },
    isNoted: (id, reader) => {
      const found = noted.get(id)
      return found !== undefined && mayRead(reader, found.maker)
    },
    find: async (id, reader) => {
      const found = noted.get(id)
      return found !== undefined && !mayRead(reader, found.maker) ? 'hidden' : found
    },
  }
}

/** Stores objects in memory. */
const testStoredObjects = (): StoredObjects => {
  const stored = new Map<string, StoredObject>()
  let last = 0
  const nameOf = ({ owner, kind, id }: Pick<StoredObject, 'owner' | 'kind' | 'id'>) => `${owner.tokenId} ${kind} ${id}`
  const where = (fits: (object: StoredObject) => boolean) =>
    [...stored.values()].filter(fits).sort((a, b) => a.order - b.order)
  return {
    put(object) {
      last += 1
      const content = JSON.parse(JSON.stringify(object.content))
      stored.set(nameOf(object), { ...object, content, order: stored.get(nameOf(object))?.order ?? last })
    },
    async putNow(object, days) {
      this.put(object, days)
      return true
    },
    find: async (owner, kind, id) => stored.get(nameOf({ owner, kind, id })),
    thread: async ({ tokenId }, thread) =>
      where((object) => object.owner.tokenId === tokenId && object.thread === thread),
    async list({ tokenId }, kind, { after, order, limit }) {
      const all = where((object) => object.owner.tokenId === tokenId && object.kind === kind)
      const ordered = order === 'asc' ? all : all.reverse()
      const start = after === undefined ? 0 : ordered.findIndex((object) => object.order === after) + 1
      return ordered.slice(start, start + limit)
    },
    async remove(object) {
      stored.delete(nameOf(object))
    },
    async removeThread({ tokenId }, thread) {
      for (const object of where((one) => one.owner.tokenId === tokenId && one.thread === thread))
        stored.delete(nameOf(object))
    },
  }
}

/** Makers of objects, in memory alone. */
export const testMadeObjects = (): MadeObjects => {
  const made = new Map<string, MadeObject[]>()
  return {
    get any() {
      return made.size > 0
    },
    note(names, maker, { channelId, key }) {
      const object = { maker, channelId, keyHash: key ?? '' }
      for (const name of names) made.set(nameText(name), [...(made.get(nameText(name)) ?? []), object])
    },
    find: async (names) => new Map(names.map((name) => [nameText(name), made.get(nameText(name)) ?? []])),
    async remove(name) {
      made.delete(nameText(name))
    },
  }
}

export const testModels: ModelOptions = {
  claude: { headers: {}, maxTokens: { default: 8192 }, thinkingAdapter: true, thinkingShare: 0.8 },
  gemini: { safety: { default: 'OFF' }, versions: { default: 'v1beta' } },
}

export const testOptions: RelayOptions = {
  retryTimes: 0,
  preConsumedTokens: 500,
  overdraft: 0,
  amounts: { inCurrency: true, quotaPerUnit: 500_000 },
  logConsume: true,
  passThrough: false,
  rateLimit: { enabled: false, minutes: 1, count: 0, successCount: 1000 },
  sensitiveWords: [],
  answerCheck: { words: [], stop: true, hold: 0 },
  onClientGone: 'cancel',
  models: testModels,
  modelMembers: 'refuse',
  strictGroups: new Set(),
  storage: { days: 30, without: new Set() },
  sessionLimits: new Map(),
  cacheMarks: new Map(),
  channelChoices: new Map(),
  avoidsLosses: false,
  hedgedGroups: new Set(),
  modelAliases: new Map(),
  modelEnds: new Map(),
}

export const testCaller: Caller = {
  userId: 7,
  username: 'ann',
  role: 1,
  userGroup: 'default',
  acceptsUnpricedModels: true,
  tokenId: 3,
  tokenName: 'main',
  tokenUnlimited: true,
  group: 'default',
  modelLimits: undefined,
  forcedChannel: undefined,
}

/** Every model costs what gpt-4o costs, unless it is named `unpriced`. */
/** A model of text whose sound costs twenty times as much to hear, and twice that to speak. */
const soundingPrice = priceOf('gpt-4o', { audioRatio: { 'gpt-4o': 20 }, audioCompletionRatio: { 'gpt-4o': 2 } })

export const testPrices = (price: Price = soundingPrice): Prices => ({
  of: (model, _, { acceptsUnpriced }) => (model === 'unpriced' && !acceptsUnpriced ? undefined : price),
})

export interface TestRelay extends RelayParts {
  /** Refunds for the storage of cached contents. */
  readonly givenBack: StorageRefund[]
  giveBack(refund: StorageRefund): Promise<void>
  /** Between the attempts to end a call over WebRTC. */
  readonly hangUpPauses?: readonly number[]
  readonly storedResponses: StoredResponses
  readonly storedObjects: StoredObjects
  readonly madeObjects: MadeObjects
  readonly channels: TestChannels
  readonly holds: TestHolds
  readonly recorder: TestRecorder
  /** Read by `options()`. */
  settings: RelayOptions
  close(): Promise<void>
}

/** All ports, over a real network unless `upstream` is given. */
export const openTestRelay = (changes: Partial<TestRelay> = {}): TestRelay => {
  const network = openUndiciUpstream()
  const parts: TestRelay = {
    settings: testOptions,
    channels: openTestChannels(testChannel()),
    holds: openTestHolds(),
    recorder: openTestRecorder(),
    prices: testPrices(),
    counter: characterCounter,
    storedResponses: testStoredResponses(),
    sealPlaces: openSealPlaces(),
    storedObjects: testStoredObjects(),
    madeObjects: testMadeObjects(),
    givenBack: [],
    giveBack: async (refund) => void parts.givenBack.push(refund),
    upstream: network,
    options: () => parts.settings,
    clock: Date.now,
    random: Math.random,
    fetchPicture: async (address, signal) => Buffer.from(await (await fetch(address, { signal })).arrayBuffer()),
    limits: {
      timeouts: patientTimeouts,
      maxResponseBytes: 16 * 1024 * 1024,
      defaultApiVersion: '2024-12-01-preview',
    },
    forceStreamOption: true,
    keepAliveMs: 0,
    readiness: { refusal: undefined },
    log: () => {},
    close: () => network.close(),
    ...changes,
  }
  return parts
}
