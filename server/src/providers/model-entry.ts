import type { DataOf, listAllModels } from '@tollgate/contract'
import { modelOwners } from './index.ts'

export type ModelEntry = DataOf<typeof listAllModels>[number]

/** Creation date of all entries, in Unix seconds. */
const created = 1_626_777_600
const customOwner = 'custom'

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

/** An entry of the OpenAI model list; a name that no provider knows belongs to `custom`. */
export const modelEntry = (name: string): ModelEntry => ({
  id: name,
  object: 'model',
  created,
  owned_by: modelOwners.get(name) ?? customOwner,
  permission: [{ ...permission }],
  root: name,
  parent: null,
})
