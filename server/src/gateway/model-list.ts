import { modelOwners } from '../providers/index.ts'
import type { Caller, ChannelSnapshot } from '../relay/ports.ts'

/** An entry of the OpenAI model list (relay reference §17). */
export interface ModelEntry {
  readonly id: string
  readonly object: 'model'
  readonly created: number
  readonly owned_by: string
  readonly permission: readonly Readonly<Record<string, unknown>>[]
  readonly root: string
  readonly parent: null
}

const created = 1_626_777_600

const permission = {
  id: 'modelperm-LwHkVFn8AcMItP432fKKDIKJ',
  object: 'model_permission',
  created,
  allow_create_engine: true,
  allow_sampling: true,
  allow_logprobs: true,
  allow_search_indices: false,
  allow_view: true,
  allow_fine_tuning: false,
  organization: '*',
  group: null,
  is_blocking: false,
}

export const modelEntry = (id: string): ModelEntry => ({
  id,
  object: 'model',
  created,
  owned_by: modelOwners.get(id) ?? 'custom',
  permission: [permission],
  root: id,
  parent: null,
})

/** Names of the models that a caller may use: its token's, or all of its group. */
export const modelsOf = ({ modelLimits, group }: Caller, snapshot: ChannelSnapshot): readonly string[] =>
  modelLimits === undefined ? snapshot.modelsOf(group) : [...modelLimits].sort()
