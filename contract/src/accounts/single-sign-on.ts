import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { identityProviderIcons } from './identity-providers.ts'
import { signInResult } from './session.ts'

const text = z.string().max(4096).default('')
const params = z.object({ slug: z.string().regex(/^[a-z0-9-]{2,40}$/) })
/** `url` is where to send the browser. */
const begun = z.object({ url: z.string(), state: z.string() })

export const startSingleSignOn = endpoint({
  method: 'POST',
  path: '/api/sso/:slug/login',
  access: 'visitor',
  critical: 'begin',
  changes: false,
  summary: 'Begins signing in by an identity provider',
  params,
  body: z.object({ aff: z.string().max(255).default('') }),
  data: begun,
})

export const startProviderBinding = endpoint({
  method: 'POST',
  path: '/api/sso/:slug/bind',
  access: 'user',
  critical: 'begin',
  confirm: 'always',
  summary: 'Begins linking an account of an identity provider to the own one',
  params,
  data: begun,
})

/** Message `bind` means that the account was linked; otherwise the caller is signed in. */
export const finishSingleSignOn = endpoint({
  method: 'GET',
  path: '/api/sso/:slug',
  access: 'visitor',
  critical: 'proof',
  changes: true,
  summary: 'Finishes signing in by, or linking an account of, an identity provider',
  params,
  query: z.object({ code: text, state: text, error: text, error_description: text, iss: text }),
  data: signInResult,
})

/** Answers 302 to the page that finishes the sign-in, where the browser shows its own cookie. */
export const takeSamlAnswer = endpoint({
  method: 'POST',
  path: '/api/sso/:slug/acs',
  access: 'visitor',
  critical: 'proof',
  changes: false,
  form: true,
  megabytes: 0.25,
  fromOtherSites: true,
  summary: 'Takes the answer of a SAML identity provider, which the browser posts (assertion consumer service)',
  params,
  body: z.object({ SAMLResponse: z.string().min(1).max(250_000), RelayState: z.string().max(80).default('') }),
})

const samlMessage = z.string().max(250_000).default('')
/** SAML RelayState: sent back to the provider unchanged. */
const relayState = z.string().max(1000).default('')

/**
 * A request of a SAML provider to end sessions, or its answer to ours, by redirect (single logout). Goes on at the provider, or at the
 * login page.
 */
export const takeSamlLogout = endpoint({
  method: 'GET',
  path: '/api/sso/:slug/slo',
  access: 'visitor',
  critical: 'proof',
  changes: true,
  fromOtherSites: true,
  summary: 'Ends sessions at the request of a SAML identity provider, by redirect (single logout)',
  params,
  query: z.object({
    SAMLRequest: samlMessage,
    SAMLResponse: samlMessage,
    RelayState: relayState,
    SigAlg: z.string().max(200).default(''),
    Signature: z.string().max(2000).default(''),
  }),
})

/** The same by a form that the browser posts. */
export const endSamlSession = endpoint({
  method: 'POST',
  path: '/api/sso/:slug/slo',
  access: 'visitor',
  critical: 'proof',
  changes: true,
  form: true,
  megabytes: 0.25,
  fromOtherSites: true,
  summary: 'Ends sessions at the request of a SAML identity provider, by a form (single logout)',
  params,
  body: z.object({ SAMLRequest: samlMessage, SAMLResponse: samlMessage, RelayState: relayState }),
})

/** The provider's server posts it, not a browser. */
export const takeLogoutToken = endpoint({
  method: 'POST',
  path: '/api/sso/:slug/backchannel',
  access: 'visitor',
  critical: 'proof',
  changes: true,
  form: true,
  fromOtherSites: true,
  summary: 'Ends sessions at the request of an OpenID Connect provider (back-channel logout)',
  params,
  body: z.object({ logout_token: z.string().min(1).max(20_000) }),
})

export const getSamlMetadata = endpoint({
  method: 'GET',
  path: '/api/sso/:slug/metadata',
  access: 'visitor',
  answers: 'file',
  fileTypes: ['application/samlmetadata+xml'],
  summary: 'What a SAML identity provider has to know about this site',
  params,
})

export const providerBinding = z.object({
  slug: z.string(),
  provider: z.string(),
  icon: z.enum(identityProviderIcons),
  /** True if the provider takes people now. */
  enabled: z.boolean(),
  /** The name by which the owner recognises the account; empty where none is linked. */
  name: z.string(),
  /** Unix seconds; 0 where none is linked. */
  created_time: z.int(),
  /** False if removing it would leave the account without any way to sign in. */
  removable: z.boolean(),
})
export type ProviderBinding = z.output<typeof providerBinding>

export const listProviderBindings = endpoint({
  method: 'GET',
  path: '/api/sso/bindings',
  access: 'user',
  summary:
    'Identity providers of the site and of the own organisations, and the accounts that are linked to the own one',
  data: z.array(providerBinding),
})

export const unbindProvider = endpoint({
  method: 'DELETE',
  path: '/api/sso/:slug',
  access: 'user',
  confirm: 'always',
  summary: 'Removes the link to an account of an identity provider',
  params,
})
