import { modelOwners, providers, unbuiltProviders } from '../../providers/index.ts'
import { type ModelEntry, modelEntry } from '../../providers/model-entry.ts'

/** Entries of the OpenAI model list for names, in their order. */
export const modelEntries = (names: readonly string[]): ModelEntry[] => names.map(modelEntry)

/** Built-in model names of each channel type, keyed by the type's number. */
export const modelsByType = (): Record<string, string[]> =>
  Object.fromEntries([...providers, ...unbuiltProviders].map(({ type, models }) => [String(type), [...models]]))

/** Every name that any channel type knows, once. */
export const knownModels = (): string[] => [...modelOwners.keys()].sort()
