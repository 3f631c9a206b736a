import { isObject, type JsonObject, listOf, objectsOf, textIn } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import type { AllNames } from '../named-models/all-names.ts'
import type { Caller } from '../ports.ts'
import type { StoredObjects } from '../stored/ports.ts'
import type { DirectAim } from './collections.ts'
import { type NamedObjects, namesGoogleFile } from './named-objects.ts'
import { type MadeObject, nameText, type ObjectName } from './ports.ts'

/** Names in the lines of a batch input, which the provider executes as calls. */
export interface BatchLines {
  /** Objects of the account, as a body names them. */
  readonly objects: NamedObjects
  /** Models and routes. */
  readonly models: AllNames
}

/** Stores the names in batch inputs, so that any key that starts a batch of the file can be checked against them. */
export interface BatchInputs {
  /** Replaces the stored names of the file. `keyHash` is that of the channel key that uploaded it. */
  remember(file: ObjectName, lines: BatchLines, made: Pick<MadeObject, 'maker' | 'channelId' | 'keyHash'>): void
  /**
   * Models and routes in the lines of files, after the objects that they name were checked. Unknown lines are accepted from a key that
   * could have sent them itself. Throws AppError('batch_input_unknown').
   */
  namesIn(files: readonly ObjectName[], by: BatchMaker): Promise<readonly AllNames[]>
}

/** Maker of a batch and its files. */
interface BatchMaker {
  readonly caller: Pick<Caller, 'modelLimits' | 'project' | 'tokenId'>
  /** Makers of the files, by `nameText`. */
  readonly made: ReadonlyMap<string, readonly MadeObject[]>
  /** Refuses objects that the caller may not read. */
  check(objects: NamedObjects): Promise<void> | undefined
}

/** Days for which names are stored; as long as those of the file itself after its last use. */
const keptDays = 400

/** Most models of a file; of one with more, nothing is stored. */
const mostModels = 500
const mostObjects = 5000

/** Milliseconds until what another process has put is written. */
const writtenMs = 150

/** Names of files are unique in an account of a provider, which is known by its key. */
const nameIn = ({ id }: ObjectName, { channelId, keyHash }: Pick<MadeObject, 'channelId' | 'keyHash'>): string =>
  `${keyHash === '' ? channelId : keyHash}\n${id}`

/** One entry per file, whichever key of its maker uploaded it last. */
const ownerOf = ({ maker }: Pick<MadeObject, 'maker'>) => ({ userId: maker.userId, tokenId: 0 })

const kind = 'batch_input'

const textsIn = (value: unknown): string[] => listOf(value).filter((one): one is string => typeof one === 'string')

const namesIn = (value: unknown): ObjectName[] =>
  objectsOf(value).flatMap((one) =>
    typeof one.kind === 'string' && typeof one.id === 'string' ? [{ kind: one.kind, id: one.id }] : [],
  )

const routeIn = (value: unknown): AllNames['route'] => {
  if (!isObject(value)) return undefined
  return { path: textIn(value.path) ?? '', chooses: value.chooses === 'host' ? 'host' : 'route' }
}

const printed = ({ objects, models }: BatchLines): JsonObject => ({
  models: [...models.models],
  ...(models.route === undefined ? {} : { route: { path: models.route.path, chooses: models.route.chooses } }),
  ...(models.otherCase === undefined ? {} : { other_case: models.otherCase }),
  named: objects.named,
  alike: objects.alike,
})

const read = ({ models, route, other_case, named, alike }: JsonObject): BatchLines => ({
  models: { models: new Set(textsIn(models)), route: routeIn(route), otherCase: textIn(other_case) },
  objects: { named: namesIn(named), alike: namesIn(alike) },
})

/** True if the caller may use everything that the key of a maker may. */
const mayAll = ({ modelLimits, project, tokenId }: BatchMaker['caller'], { maker }: MadeObject): boolean =>
  modelLimits === undefined && (project === undefined || tokenId === maker.tokenId)

const inputUnknown = ({ id }: ObjectName): AppError =>
  new AppError('batch_input_unknown', { params: { id: shortText(id) } })

export const createBatchInputs = (stored: Pick<StoredObjects, 'find' | 'put'>): BatchInputs => {
  const linesOf = async (file: ObjectName, made: MadeObject): Promise<BatchLines | undefined> => {
    const find = () => stored.find(ownerOf(made), kind, nameIn(file, made))
    let found = await find()
    if (found === undefined) {
      await new Promise((resolve) => setTimeout(resolve, writtenMs))
      found = await find()
    }
    return found === undefined ? undefined : read(found.content)
  }

  return {
    remember(file, lines, made) {
      const { objects, models } = lines
      if (models.models.size > mostModels || objects.named.length + objects.alike.length > mostObjects) return
      const id = nameIn(file, made)
      stored.put({ kind, id, owner: ownerOf(made), thread: id, content: printed(lines) }, keptDays)
    },
    async namesIn(files, { caller, made, check }) {
      const names: AllNames[] = []
      for (const file of files) {
        const claims = made.get(nameText(file)) ?? []
        if (claims.length === 0) throw inputUnknown(file)
        for (const claim of claims) {
          const lines = await linesOf(file, claim)
          if (lines === undefined && !mayAll(caller, claim)) throw inputUnknown(file)
          if (lines === undefined) continue
          await check(lines.objects)
          names.push(lines.models)
        }
      }
      return names
    },
  }
}

const batchKinds: ReadonlySet<string> = new Set(['batches', 'message_batches', 'batch_jobs'])

/** True if a call makes a batch. */
export const makesBatch = (aim: DirectAim | undefined): boolean =>
  (aim?.kind === 'all' && batchKinds.has(aim.collection.kind)) ||
  (aim?.kind === 'action' && aim.makes?.kind === 'batches')

/** Members that name the lines of a batch outside of the account's files: storage of Azure, Google and Amazon. */
const outside: ReadonlySet<string> = new Set([
  ...['input_blob', 'inputblob', 'gcssource', 'gcs_source', 'bigquerysource', 'bigquery_source'],
  ...['s3inputdataconfig', 's3_input_data_config'],
])

/** Member of a new batch that names input outside the gateway's reach; undefined where there is none. */
export const unreadInput = (body: JsonObject): string | undefined => {
  for (const [member, value] of Object.entries(body)) {
    const low = member.toLowerCase()
    if (outside.has(low)) return member
    const isFile = low === 'filename' || low === 'file_name'
    if (isFile && !(typeof value === 'string' && namesGoogleFile(value))) return member
    // The lines themselves are read as the body is.
    const inner = low === 'requests' || low === 'metadata' || !isObject(value) ? undefined : unreadInput(value)
    if (inner !== undefined) return inner
  }
  return undefined
}
