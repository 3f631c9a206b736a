import { isObject, type JsonObject, parsedJson } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { hasTwins } from '../../lib/json/twin-members.ts'
import type { Client } from '../client.ts'
import type { AllNames } from '../named-models/all-names.ts'
import type { Caller, RelayChannel } from '../ports.ts'
import { type Maker, makerOf, mayRead } from '../reader.ts'
import type { StoredResponses } from '../routing/stored-responses.ts'
import { type StoredKind, type StoredObjects, storedOwnerOf } from '../stored/ports.ts'
import { type BatchLines, createBatchInputs, makesBatch, unreadInput } from './batch-lines.ts'
import { aimOf, type DirectAim } from './collections.ts'
import { madeModelOf, offersModel } from './created-models.ts'
import { madeBy, resultsOf } from './created-objects.ts'
import { batchInputs, type NamedObjects, namedObjects } from './named-objects.ts'
import { NotingClient } from './noting-client.ts'
import { objectPage } from './object-lists.ts'
import { isAt, type MadeObject, type MadeObjects, type MadePlace, nameText, type ObjectName } from './ports.ts'
import { createUploadParts, type UploadPart } from './upload-parts.ts'
import { type NamedInUpload, namedInFile, namedInUpload } from './uploaded-lines.ts'

export interface DirectFenceParts {
  readonly madeObjects: MadeObjects
  readonly storedResponses: Pick<StoredResponses, 'find' | 'keyHashOf'>
  readonly storedObjects: Pick<StoredObjects, 'find' | 'put'>
}

/** A call to a channel's provider as it is. */
export interface DirectRequest {
  readonly channel: RelayChannel
  readonly caller: Caller
  readonly method: string
  /** Path at the provider; the query has its question mark, or is empty. */
  readonly path: string
  readonly query: string
}

/** Body of a direct call. */
export interface DirectBody {
  readonly bytes: Buffer
  readonly contentType: string
  /** The body, where that was parsed already. */
  readonly json?: JsonObject
  /** Set where the body is part of a file. */
  readonly upload?: UploadPart | undefined
}

/** A page of a list, or the address of the next one where this one has nothing of the caller. */
export type FencedPage =
  | { readonly kind: 'page'; readonly bytes: Buffer }
  | { readonly kind: 'next'; readonly query: Readonly<Record<string, string>> }

/** Access check of one direct call. */
export interface FencedCall {
  /** The only key of the channel whose account has the named objects; undefined where any will do. Set by `admit`. */
  readonly key: string | undefined
  /** True if objects are separated by maker, so that bodies are checked. */
  readonly fenced: boolean
  /**
   * Refuses a call that names objects of others, itself or in the lines of its batch inputs. Returns the models and routes that those
   * lines name, which must be checked next. Throws AppError.
   */
  admit(body: DirectBody): Promise<readonly AllNames[]>
  /** The channel key that the call is made with. */
  sent(key: string): void
  /** Reads a successful answer, or one event of it, before its client gets all of it: notes created and deleted objects. */
  answered(answer: JsonObject): void
  /** Wraps the client so that `answered` reads its answer. */
  tap(client: Client): Client
  /**
   * Set where the answer is a list; `isLast` where no other page is fetched. Throws AppError('bad_response_body') where the owner of the
   * entries cannot be known.
   */
  readonly list: ((bytes: Buffer, isLast: boolean) => Promise<FencedPage>) | undefined
}

export interface DirectFence {
  /**
   * A turn (`isTurn`) is a call that a model answers. Throws AppError('passthrough_unfenced') where the owner of the objects at an
   * address cannot be known.
   */
  open(request: DirectRequest & { readonly isTurn: boolean }): FencedCall
}

/** Kinds of objects that an answer creates if its client wants it stored. */
const answerKinds: ReadonlySet<string> = new Set(['responses', 'items', 'completions'])

/** OpenAI stores responses unless `store` is false, and chat completions only if it is true. */
const keepsAnswer = (aim: DirectAim | undefined, { store }: JsonObject): boolean =>
  aim?.kind === 'all' && aim.collection.kind === 'completions' ? store === true : store !== false

/** True if callers of a channel's direct calls see their own objects alone. */
export const isFenced = ({ passthrough }: Pick<RelayChannel, 'passthrough'>): boolean =>
  passthrough !== undefined && !passthrough.shared

/** Kinds of which the gateway's own stored objects are inserted into the call itself. */
const ownKinds: ReadonlyMap<string, StoredKind> = new Map([
  ['responses', 'response'],
  ['conversations', 'conversation'],
  ['completions', 'completion'],
])

/** True if a member is repeated, so that its provider may read the unchecked one. `body` may be less than `raw` contains. */
export const hidesNames = (raw: Buffer, body: unknown): boolean =>
  hasTwins(raw, body) && hasTwins(raw, parsedJson(raw.toString()))

/** Error detail for a repeated member. */
export const twinDetail = 'a member stands there twice'

/** Names in a JSON body. Throws AppError('invalid_request_body') for a repeated member. */
const namesOf = (bytes: Buffer, body: unknown): NamedObjects => {
  if (hidesNames(bytes, body)) throw new AppError('invalid_request_body', { params: { detail: twinDetail } })
  return namedObjects(body)
}

/** A value may be a list of ids, or a filter that holds some. */
const withPieces = (value: string): string[] => [value, ...value.split(/[^\w.:/-]+/)]

/** Names in all parameters of a query, including repeated ones, of which providers may read either. */
const namedInQuery = (query: string): NamedObjects => {
  const parameters = new URLSearchParams(query)
  const whole = namedObjects(
    Object.fromEntries([...new Set(parameters.keys())].map((name) => [name, parameters.getAll(name)])),
  )
  const { alike } = namedObjects([...parameters.values()].flatMap(withPieces))
  return { ...whole, alike: [...whole.alike, ...alike] }
}

const turn: DirectAim = { kind: 'action', makes: undefined }

/** Ids in one request: each is looked up. */
const mostNamed = 5000

/** Milliseconds until what another process has made is written. */
const writtenMs = 150

/** Makers of `names`; where one of `needed` has none, the look-up is repeated once after `writtenMs`. */
export const foundOf = async (
  madeObjects: MadeObjects,
  names: readonly ObjectName[],
  needed: readonly ObjectName[],
): Promise<ReadonlyMap<string, readonly MadeObject[]>> => {
  const found = await madeObjects.find(names)
  if (needed.every((name) => found.get(nameText(name))?.[0] !== undefined)) return found
  await new Promise((resolve) => setTimeout(resolve, writtenMs))
  return madeObjects.find(names)
}

/** The error for an object that does not exist or belongs to another maker. */
export const objectNotFound = ({ id }: ObjectName): AppError =>
  new AppError('object_not_found', { params: { id: shortText(id) } })

/** The same place of a channel, whichever of its keys made an object. */
export const placeOf = (channel: RelayChannel, keyHashOf: (key: string) => string): MadePlace => ({
  channelId: channel.id,
  keyHashes: new Set(channel.keys.map(keyHashOf)),
})

/** Separates the objects of makers in one account. Created objects are noted on shared channels, too. */
export const createDirectFence = (parts: DirectFenceParts): DirectFence => {
  const { madeObjects, storedResponses, storedObjects } = parts
  const { keyHashOf } = storedResponses
  const uploadParts = createUploadParts()
  const inputs = createBatchInputs(storedObjects)

  const claimsOf = async (
    names: readonly ObjectName[],
    place: MadePlace,
    needed: readonly ObjectName[] = [],
  ): Promise<ReadonlyMap<string, readonly MadeObject[]>> => {
    const found = await foundOf(madeObjects, names, needed)
    return new Map([...found].map(([name, claims]) => [name, claims.filter((claim) => isAt(claim, place))]))
  }

  /** True if the gateway has noted a response or a cached content, and the caller may read it here. */
  const isStored = async ({ kind, id }: ObjectName, caller: Caller, place: MadePlace): Promise<boolean> => {
    const own = ownKinds.get(kind)
    if (own !== undefined && (await storedObjects.find(storedOwnerOf(caller), own, id)) !== undefined) return true
    if (kind !== 'responses' && kind !== 'cached_contents') return false
    const found = await storedResponses.find(kind === 'responses' ? id : `cachedContents/${id}`, caller)
    if (found === undefined || found === 'hidden') return false
    return found.channelId === place.channelId || place.keyHashes.has(found.keyHash)
  }

  class Fence implements FencedCall {
    key: string | undefined
    readonly fenced: boolean
    private readonly request: DirectRequest
    private readonly aim: DirectAim | undefined
    private readonly place: MadePlace
    private usedKey: string | undefined
    /** Owner of the object in the address; the caller until it is looked up. */
    private owner: Maker
    /** False where the provider stores no answer. */
    private keepsAnswer = true
    /** Lines of a file in this call that was read as a batch input. */
    private brought: BatchLines | undefined

    constructor(request: DirectRequest, aim: DirectAim | undefined) {
      const { channel, caller } = request
      this.request = request
      this.aim = aim
      this.place = placeOf(channel, keyHashOf)
      this.fenced = isFenced(channel)
      this.usedKey = channel.keys.length === 1 ? channel.keys[0] : undefined
      this.owner = makerOf(caller)
    }

    get list(): FencedCall['list'] {
      const { aim, request, fenced } = this
      const isList = fenced && (aim?.kind === 'models' || (aim?.kind === 'all' && request.method === 'GET'))
      return isList ? (bytes, isLast) => this.page(bytes, isLast) : undefined
    }

    async admit(body: DirectBody): Promise<readonly AllNames[]> {
      const { aim } = this
      const { bytes, json } = body
      this.keepsAnswer = json === undefined || keepsAnswer(aim, json)
      if (aim?.kind === 'one') await this.admitOne({ kind: aim.collection.kind, id: aim.id })
      if (!this.fenced) return this.held(await this.sharedNames(body))
      const inQuery = namedInQuery(this.request.query)
      // First, because the body of an upload may stand for others that were sent before it.
      await this.check(inQuery)
      if (bytes.length === 0) return this.held(inQuery.named)
      const { named, alike } = await this.namesIn(body)
      await this.check({ named, alike })
      return this.held([...inQuery.named, ...named])
    }

    sent(key: string): void {
      this.usedKey = key
    }

    tap(client: Client): Client {
      if (this.aim === undefined) return client
      return new NotingClient(
        client,
        (answer) => this.answered(answer),
        (uploadId) => this.note([{ kind: 'uploads', id: uploadId }]),
      )
    }

    private remember(name: ObjectName, lines: BatchLines): void {
      const { caller, channel } = this.request
      const keyHash = this.usedKey === undefined ? '' : keyHashOf(this.usedKey)
      inputs.remember(name, lines, { maker: makerOf(caller), channelId: channel.id, keyHash })
    }

    private note(names: readonly ObjectName[]): void {
      const { caller, channel } = this.request
      if (names.length > 0) madeObjects.note(names, makerOf(caller), { channelId: channel.id, key: this.usedKey })
    }

    private async namesIn(body: DirectBody): Promise<NamedObjects> {
      const { bytes, contentType, json, upload } = body
      if (json !== undefined) return this.namesInJson(bytes, json)
      // The maker of the upload is checked by the query, which names it.
      const isForm = /^multipart\//i.test(contentType)
      const parsed = isForm || upload !== undefined ? undefined : parsedJson(bytes.toString())
      if (parsed !== undefined) return this.namesInJson(bytes, parsed)
      // An unreadable body may name anything.
      if (!isForm && upload === undefined && !this.request.path.toLowerCase().startsWith('/upload/'))
        throw new AppError('invalid_request_body', { params: { detail: 'JSON' } })
      const { names, lines } = await this.namesInUpload(body)
      this.brought = lines
      return names
    }

    private namesInJson(bytes: Buffer, json: unknown): NamedObjects {
      const names = namesOf(bytes, json)
      const unread = makesBatch(this.aim) && isObject(json) ? unreadInput(json) : undefined
      if (unread !== undefined)
        throw new AppError('invalid_request_body', { params: { detail: `${shortText(unread)} cannot be read` } })
      // A store takes files of any kind under the member that names the input of a batch elsewhere.
      const isStore = this.aim?.kind === 'one' && this.aim.collection.kind === 'file_search_stores'
      return isStore ? { ...names, named: names.named.filter(({ kind }) => kind !== batchInputs) } : names
    }

    private async namesInUpload({ bytes, contentType, upload }: DirectBody): Promise<NamedInUpload> {
      if (upload === undefined)
        return /^multipart\//i.test(contentType) ? namedInUpload(bytes, contentType) : namedInFile(bytes)
      const find = (asked: readonly ObjectName[]) => claimsOf(asked, this.place)
      return uploadParts.read(upload, bytes, { find, note: this.note.bind(this) })
    }

    /** Names that are checked on a shared channel: only files that may become batch inputs, and the batches of keys with a list of models. */
    private async sharedNames(body: DirectBody): Promise<readonly ObjectName[]> {
      const { bytes, json, contentType, upload } = body
      const { aim, request } = this
      if (bytes.length === 0 || request.method === 'GET') return []
      const isForm = /^multipart\//i.test(contentType)
      if (upload !== undefined || (isForm && aim?.kind === 'all' && aim.collection.kind === 'files')) {
        // A form that cannot be parsed is no input.
        const read = await this.namesInUpload(body).catch(() => undefined)
        this.brought = read?.lines
        return []
      }
      if (request.caller.modelLimits === undefined || isForm) return []
      const parsed = json ?? parsedJson(bytes.toString())
      return parsed === undefined ? [] : this.namesInJson(bytes, parsed).named
    }

    /** Names in the lines of batch inputs, after their objects were checked. Throws AppError('batch_input_unknown'). */
    private async held(named: readonly ObjectName[]): Promise<readonly AllNames[]> {
      const files = named.filter((name) => name.kind === batchInputs)
      const { caller } = this.request
      if (files.length === 0 || (!this.fenced && caller.modelLimits === undefined)) return []
      const made = await claimsOf(files, this.place, files)
      return inputs.namesIn(files, {
        made,
        caller,
        check: (objects) => (this.fenced ? this.check(objects) : undefined),
      })
    }

    private async admitOne(name: ObjectName): Promise<void> {
      const { caller } = this.request
      if (this.fenced && (await isStored(name, caller, this.place))) return
      const needed = this.fenced ? [name] : []
      const claims = (await claimsOf([name], this.place, needed)).get(nameText(name)) ?? []
      const [first] = claims
      if (this.fenced && (first === undefined || !this.mayReadAll(claims))) throw objectNotFound(name)
      if (first === undefined) return
      this.owner = first.maker
      this.goTo(first)
    }

    /** Other keys of the channel may belong to other accounts. */
    private goTo({ keyHash }: MadeObject): void {
      this.key ??= this.request.channel.keys.find((key) => keyHashOf(key) === keyHash)
    }

    private mayReadAll(claims: readonly MadeObject[]): boolean {
      return claims.every(({ maker }) => mayRead(this.request.caller, maker))
    }

    private async check({ named, alike }: NamedObjects): Promise<void> {
      if (named.length + alike.length === 0) return
      if (named.length + alike.length > mostNamed)
        throw new AppError('invalid_request_body', { params: { detail: `at most ${mostNamed} ids` } })
      const needed: ObjectName[] = []
      for (const name of named) {
        const isOpen = offersModel(this.request.channel, name)
        if (!isOpen && !(await isStored(name, this.request.caller, this.place))) needed.push(name)
      }
      const claims = await claimsOf([...named, ...alike], this.place, needed)
      const claimed = (name: ObjectName): readonly MadeObject[] => claims.get(nameText(name)) ?? []
      for (const name of [...named, ...alike]) if (!this.mayReadAll(claimed(name))) throw objectNotFound(name)
      for (const name of needed) {
        const [first] = claimed(name)
        if (first === undefined) throw objectNotFound(name)
        this.goTo(first)
      }
    }

    answered(answer: JsonObject): void {
      const { aim } = this
      const { method, channel } = this.request
      if (aim === undefined) return
      const place = { channelId: channel.id, key: this.usedKey }
      const made = madeBy(aim, method, answer).filter(({ kind }) => this.keepsAnswer || !answerKinds.has(kind))
      const lines = this.brought
      const files = lines === undefined ? [] : made.filter(({ kind }) => kind === 'files')
      const inputNames = files.map(({ id }) => ({ kind: batchInputs, id }))
      this.note([...made, ...inputNames])
      if (lines !== undefined) for (const name of inputNames) this.remember(name, lines)
      if (aim.kind !== 'one') return
      const name = { kind: aim.collection.kind, id: aim.id }
      // The batch of another member has files of that member.
      const results = resultsOf(aim.collection, answer)
      if (results.length > 0) madeObjects.note(results, this.owner, place)
      if ((method === 'DELETE' && aim.below === '') || aim.below === ':delete')
        void madeObjects.remove(name, this.place)
    }

    /** True for public models and those that the channel offers. Cached contents of ordinary calls are in the list of their account, too. */
    private async isKept(name: ObjectName): Promise<boolean> {
      if (name.kind === 'models') return madeModelOf(name.id) === undefined || offersModel(this.request.channel, name)
      return name.kind === 'cached_contents' && (await isStored(name, this.request.caller, this.place))
    }

    /** The page with the caller's entries; the address of the next page where none are left. */
    private async page(bytes: Buffer, isLast: boolean): Promise<FencedPage> {
      const { aim, place } = this
      if (aim?.kind !== 'all' && aim?.kind !== 'models') throw new AppError('bad_response_body')
      const page = objectPage(bytes, aim.collection)
      // Lists of models have more forms than others. One without fine-tuned models needs no filter.
      if (page === undefined && aim.kind === 'models' && !bytes.includes('"ft:')) return { kind: 'page', bytes }
      if (page === undefined) throw new AppError('bad_response_body')
      const claims = await claimsOf(page.names, place)
      const readable = new Set<string>()
      for (const [index, name] of page.names.entries()) {
        const own = claims.get(nameText(name)) ?? []
        const [first] = own
        const isOwn = first === undefined ? await this.isKept(name) : this.mayReadAll(own)
        if (!isOwn) continue
        readable.add(nameText(name))
        const object = page.objects[index]
        const results = object === undefined ? [] : resultsOf(aim.collection, object)
        const at = { channelId: this.request.channel.id, key: this.usedKey }
        if (results.length > 0 && first !== undefined) madeObjects.note(results, first.maker, at)
      }
      if (readable.size === 0 && page.next !== undefined && !isLast) return { kind: 'next', query: page.next }
      return { kind: 'page', bytes: page.only((name) => readable.has(nameText(name))) }
    }
  }

  return {
    open(request) {
      const aim = aimOf(request.method, request.path) ?? (request.isTurn ? turn : undefined)
      if (aim === undefined && isFenced(request.channel)) throw new AppError('passthrough_unfenced')
      return new Fence(request, aim)
    },
  }
}
