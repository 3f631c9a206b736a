import { callOfKey, limitStatesOf } from '../features/limits/states.ts'
import type { NoticeSide } from '../features/notices/join.ts'
import { joinOrganisations, type OrganisationNeeds, type OrganisationSide } from '../features/organisations/join.ts'
import type { ProviderDirectory } from '../features/third-party/identity-providers/directory.ts'
import { endEnforcement } from '../features/third-party/identity-providers/store.ts'
import { toToken } from '../features/tokens/present.ts'
import type { TokenService } from '../features/tokens/service.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { FeatureKit } from './parts.ts'

export interface SiteOrganisationNeeds extends Pick<OrganisationNeeds, 'logs' | 'sendMail' | 'userChanged'> {
  readonly tokens: TokenService
  readonly limiter: Limiter
  readonly providers: Pick<ProviderDirectory, 'changed'>
  readonly notices: NoticeSide
}

/** Joins organisations to the keys, limits, notices and identity providers of the site. */
export const joinSiteOrganisations = (
  kit: FeatureKit,
  { tokens, limiter, providers, notices, ...needs }: SiteOrganisationNeeds,
): OrganisationSide =>
  joinOrganisations(kit, {
    ...needs,
    tokens: { ...tokens, show: toToken },
    noticeTo: notices.domainNotice,
    languageIn: notices.languageIn,
    limitStates: async (keyId) => {
      const call = await callOfKey(kit.database, keyId)
      return call === undefined ? [] : limitStatesOf(limiter, call, kit.clock())
    },
    providers: { endEnforcement, changed: providers.changed },
  })
