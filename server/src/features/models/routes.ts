import { getOwnModels, listAllModels, listEnabledModels, listModelsByType } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { ChannelSnapshot } from '../../relay/ports.ts'
import { knownModels, modelEntries, modelsByType } from './catalogue.ts'

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
