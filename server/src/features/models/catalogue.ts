import type { DataOf, listAllModels } from '@tollgate/contract'
import { modelOwners, providers, unbuiltProviders } from '../../providers/index.ts'

export type ModelEntry = DataOf<typeof listAllModels>[number]

/** The day all entries carry, as in the reference (relay reference §17). */
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
} as const

/** Entries of the OpenAI model list for names, in their order; names that no provider knows belong to `custom`. */
export const modelEntries = (names: readonly string[]): ModelEntry[] =>
  names.map((name) => ({
    id: name,
    object: 'model',
    created,
    owned_by: modelOwners.get(name) ?? customOwner,
    permission: [{ ...permission }],
    root: name,
    parent: null,
  }))

/** Built-in model names of each channel type, keyed by the type's number. */
export const modelsByType = (): Record<string, string[]> =>
  Object.fromEntries([...providers, ...unbuiltProviders].map(({ type, models }) => [String(type), [...models]]))

/** Every name that any channel type knows, once. */
export const knownModels = (): string[] => [...modelOwners.keys()].sort()
