import { getOwnModels, listAllModels, listEnabledModels, listModelsByType } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import { modelOwners, providers, unbuiltProviders } from '../../providers/index.ts'
import { type ModelEntry, modelEntry } from '../../providers/model-entry.ts'
import type { ChannelSnapshot } from '../../relay/ports.ts'

/** Entries of the OpenAI model list for names, in their order. */
export const modelEntries = (names: readonly string[]): ModelEntry[] => names.map(modelEntry)

/** Built-in model names of each channel type, keyed by the type's number. */
const modelsByType = (): Record<string, string[]> =>
  Object.fromEntries([...providers, ...unbuiltProviders].map(({ type, models }) => [String(type), [...models]]))

/** Every name that any channel type knows, once. */
const knownModels = (): string[] => [...modelOwners.keys()].sort()

interface ModelParts {
  snapshot(): Pick<ChannelSnapshot, 'modelsOf'> & { readonly models: readonly string[] }
  /** Names of the groups that users of a group may use. */
  usableGroups(userGroup: string): readonly string[]
}

/** The console's calls about models. */
export const modelRoutes = (on: On, { snapshot, usableGroups }: ModelParts): void => {
  on(getOwnModels, ({ caller }) => {
    const picture = snapshot()
    return { data: [...new Set(usableGroups(caller.group).flatMap((group) => picture.modelsOf(group)))].sort() }
  })
  on(listModelsByType, () => ({ data: modelsByType() }))
  on(listAllModels, () => ({ data: modelEntries(knownModels()) }))
  on(listEnabledModels, () => ({ data: [...snapshot().models] }))
}
