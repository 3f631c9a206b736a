import type { Database } from '../../db/database.ts'
import type { OrganisationTasks } from '../../http/organisation-tasks.ts'
import { accessTo } from './rights.ts'
import { figureScopeOf, readableTasksOf, readsInOrganisation, type WalletScope } from './scopes.ts'

/** Scopes of a person in an organisation, for the log, figures and tasks. */
export interface OrganisationReaders {
  readonly organisationScope: (organisationId: number, personId: number) => Promise<WalletScope>
  readonly organisationTasks: OrganisationTasks
  readonly readsInOrganisation: (personId: number, walletId: number, tokenId: number) => Promise<boolean>
}

export const openOrganisationReaders = ({ query }: Database): OrganisationReaders => ({
  organisationScope: async (organisationId, personId) =>
    figureScopeOf(query, await accessTo(query, organisationId, personId)),
  organisationTasks: async (organisationId, personId, filter) =>
    readableTasksOf(query, await accessTo(query, organisationId, personId), filter),
  readsInOrganisation: (personId, walletId, tokenId) => readsInOrganisation(query, personId, walletId, tokenId),
})
