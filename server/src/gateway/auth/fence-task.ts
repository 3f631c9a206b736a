import { declaredVersions } from '../../billing/declared/task-versions.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { editMembers } from '../../lib/json/json-edit.ts'
import { hasTwins } from '../../lib/json/twin-members.ts'
import { twinDetail } from '../../relay/direct/direct-fence.ts'
import { foldedName } from '../../relay/named-models/member-names.ts'
import type { Caller } from '../../relay/ports.ts'
import type { ParsedBody } from '../bodies/parsed-body.ts'
import { type FencingParts, fenceNames } from './fence-names.ts'
import { checkModel, checkModelName } from './model-checks.ts'

type TaskBody = Pick<ParsedBody, 'raw' | 'body'>

/** The body of a task whose members choose only what its sender may use. */
export interface FencedTask {
  readonly body: TaskBody
  /** Models that it names beside the task's own; absent for nearly all tasks. */
  readonly named?: readonly string[] | undefined
  /** Versions of the service's model that it chooses; absent where it takes the usual one. */
  readonly versions?: readonly string[] | undefined
  /** Members that were left out; absent for nearly all tasks. */
  readonly removed?: readonly string[] | undefined
}

interface TaskFencing {
  readonly caller: Caller
  readonly platform: 'midjourney' | 'suno'
  /** The model that the action is. */
  readonly model: string
  /** Of the address, with its question mark, or empty. */
  readonly query: string
  readonly parts: FencingParts
}

const invalid = (detail: string): AppError => new AppError('invalid_request_body', { params: { detail } })

/** A key with a list may choose the versions that stand on it. */
const mayChoose = ({ modelLimits, forcedChannel }: Caller, version: string, { options }: FencingParts): boolean =>
  modelLimits === undefined ||
  forcedChannel !== undefined ||
  modelLimits.has(version) ||
  options.modelMembers === 'models'

/**
 * Holds the body of a task to the models and versions that its sender may use. A service of tasks has versions that no channel lists, so a
 * key without a list may choose any. Throws AppError, unless the operator wants such members left out.
 */
export const fenceTask = ({ raw, body }: TaskBody, fencing: TaskFencing): FencedTask => {
  const { caller, platform, model, parts } = fencing
  const fenced = fenceNames({ raw, body, form: undefined, embeds: undefined }, fencing)
  const { usual, members } = declaredVersions[platform]
  const known = new Set(members.map(foldedName))
  const versions: string[] = []
  const removed: string[] = []
  for (const [name, value] of Object.entries(fenced.body.body)) {
    if (!known.has(foldedName(name))) continue
    if (hasTwins(raw, body)) throw invalid(twinDetail)
    if (value === null || value === undefined || value === model) continue
    if (typeof value !== 'string') throw invalid(`${shortText(name, 100)} must be a text`)
    if (usual.has(value)) continue
    checkModelName(value)
    if (mayChoose(caller, value, parts)) versions.push(value)
    else if (parts.options.modelMembers === 'remove') removed.push(name)
    else checkModel(caller, value)
  }
  const left = removed.length === 0 ? fenced.body : without(fenced.body, removed)
  const gone = [...(fenced.removed ?? []), ...removed]
  return {
    body: left,
    ...(fenced.named === undefined ? undefined : { named: fenced.named }),
    ...(versions.length === 0 ? undefined : { versions }),
    ...(gone.length === 0 ? undefined : { removed: gone }),
  }
}

const without = ({ raw, body }: TaskBody, names: readonly string[]): TaskBody => ({
  raw: editMembers(raw, Object.fromEntries(names.map((name) => [name, undefined]))),
  body: Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name))),
})
