import { Readable } from 'node:stream'
import {
  createIdentityProvider,
  createOrganisationProvider,
  deleteIdentityProvider,
  deleteOrganisationProvider,
  endSamlSession,
  finishSingleSignOn,
  getSamlMetadata,
  listIdentityProviders,
  listOrganisationProviders,
  listProviderBindings,
  startProviderBinding,
  startSingleSignOn,
  takeLogoutToken,
  takeSamlAnswer,
  takeSamlLogout,
  testIdentityProvider,
  testOrganisationProvider,
  unbindProvider,
  updateIdentityProvider,
  updateOrganisationProvider,
} from '@tollgate/contract'
import { actorOf } from '../../../http/actor.ts'
import type { On } from '../../../http/route.ts'
import { AppError } from '../../../lib/app-error.ts'
import { visitorOf } from '../routes.ts'
import type { ProviderService } from './service.ts'
import { signedOutPath } from './sign-out.ts'
import type { SingleSignOn } from './single-sign-on.ts'

export interface ProviderRouteParts {
  readonly sso: SingleSignOn
  readonly service: ProviderService
  /** Option OrganisationProvidersEnabled. */
  organisationsMay(): boolean
  /** Throws AppError('not_found' | 'organisation_role_denied') for people who do not own the organisation. */
  assertOwner(organisationId: number, userId: number): Promise<void>
}

/** Signing in by identity providers, and the providers themselves. */
export const identityProviderRoutes = (on: On, { sso, service, ...parts }: ProviderRouteParts): void => {
  on(startSingleSignOn, ({ params, body, ...call }) =>
    sso.start(params.slug, { purpose: 'login', aff: body.aff }, visitorOf(call)),
  )
  on(startProviderBinding, ({ params, ...call }) =>
    sso.start(params.slug, { purpose: 'bind', aff: '' }, visitorOf(call)),
  )
  on(finishSingleSignOn, async ({ params, query, ...call }) => {
    const entered = await sso.finish(params.slug, query, visitorOf(call))
    return entered ?? { message: 'bind' }
  })
  on(takeSamlAnswer, async ({ params, body }) => ({ redirect: await sso.takeAnswer(params.slug, body) }))
  // The provider's answer to our own request: the session here ended before it was sent, so that there is nothing to believe it for.
  on(takeSamlLogout, async ({ params, query, search, ...call }) => ({
    redirect:
      query.SAMLRequest === ''
        ? signedOutPath
        : await sso.takeLogout(params.slug, { binding: 'redirect', search }, visitorOf(call)),
  }))
  on(endSamlSession, async ({ params, body, ...call }) => ({
    redirect:
      body.SAMLRequest === ''
        ? signedOutPath
        : await sso.takeLogout(
            params.slug,
            { binding: 'post', request: body.SAMLRequest, relayState: body.RelayState },
            visitorOf(call),
          ),
  }))
  on(takeLogoutToken, async ({ params, body, ...call }) => {
    await sso.takeLogoutToken(params.slug, body.logout_token, visitorOf(call))
    return {}
  })
  on(getSamlMetadata, async ({ params: { slug } }) => {
    const parts = Readable.from([await sso.metadata(slug)])
    return { file: { name: `${slug}-metadata.xml`, type: 'application/samlmetadata+xml', parts } }
  })
  on(listProviderBindings, async ({ caller }) => ({ data: await sso.list(caller) }))
  on(unbindProvider, async ({ params, ...call }) => {
    await sso.unbind(params.slug, call.caller, visitorOf(call))
    return {}
  })

  on(listIdentityProviders, async () => ({ data: await service.list(0) }))
  on(createIdentityProvider, async (call) => ({ data: await service.create(0, call.body, actorOf(call)) }))
  on(updateIdentityProvider, async (call) => ({
    data: await service.update(0, call.params.id, call.body, actorOf(call)),
  }))
  on(deleteIdentityProvider, async (call) => {
    await service.remove(0, call.params.id, actorOf(call))
    return {}
  })
  on(testIdentityProvider, async ({ body }) => ({ data: await sso.test(body.connection, 0) }))

  const owned = async ({ params, caller }: { params: { id: number }; caller: { id: number } }): Promise<number> => {
    await parts.assertOwner(params.id, caller.id)
    return params.id
  }
  const openOwned = async (call: Parameters<typeof owned>[0]): Promise<number> => {
    const id = await owned(call)
    if (!parts.organisationsMay()) throw new AppError('organisation_providers_closed')
    return id
  }
  on(listOrganisationProviders, async (call) => ({
    data: {
      open: parts.organisationsMay(),
      items: await service.list(await owned(call)),
      proved_domain: await service.provedDomain(call.params.id),
    },
  }))
  on(createOrganisationProvider, async (call) => ({
    data: await service.create(await openOwned(call), call.body, actorOf(call)),
  }))
  on(testOrganisationProvider, async (call) => ({
    data: await sso.test(call.body.connection, await openOwned(call)),
  }))
  on(updateOrganisationProvider, async (call) => ({
    data: await service.update(await openOwned(call), call.params.provider, call.body, actorOf(call)),
  }))
  on(deleteOrganisationProvider, async (call) => {
    await service.remove(await owned(call), call.params.provider, actorOf(call))
    return {}
  })
}
