import type {
  BodyInputOf,
  createIdentityProvider,
  IdentityProvider,
  IdentityProviderIcon,
  ProviderConnection,
} from '../../lib/api/contract.ts'
import type { useProviderMessages } from './messages.ts'
import type { ProviderOwner } from './provider-calls.ts'

export const presets = ['google', 'microsoft', 'oidc', 'saml'] as const
export type ProviderPreset = (typeof presets)[number]

interface RuleValues {
  value: string
  organisation: string
  team: string
  role: 'admin' | 'billing' | 'member' | 'viewer'
}

export interface ProviderValues {
  preset: ProviderPreset
  slug: string
  name: string
  enabled: boolean
  /** Of OIDC and of SAML. */
  issuer: string
  clientId: string
  clientSecret: string
  scopes: string
  groupsClaim: string
  signsOut: boolean
  signInUrl: string
  logoutUrl: string
  signsRequests: boolean
  certificates: string
  idpInitiated: boolean
  emailAttribute: string
  nameAttribute: string
  groupsAttribute: string
  signUp: boolean
  domains: string
  enforced: boolean
  rules: RuleValues[]
  replacesManual: boolean
}

const slugShape = /^[a-z][a-z0-9-]{0,38}[a-z0-9]$/
const googleIssuer = 'https://accounts.google.com'
const microsoftIssuer = 'https://login.microsoftonline.com/TENANT/v2.0'
const icons: Readonly<Record<ProviderPreset, IdentityProviderIcon>> = {
  google: 'google',
  microsoft: 'microsoft',
  oidc: 'key',
  saml: 'building',
}

/** Values that the choice of a kind fills in. */
export const presetValues = (preset: ProviderPreset): Partial<ProviderValues> => {
  if (preset === 'google') return { preset, issuer: googleIssuer, name: 'Google', slug: 'google', groupsClaim: '' }
  const groupsClaim = 'groups'
  if (preset === 'microsoft')
    return { preset, issuer: microsoftIssuer, name: 'Microsoft', slug: 'microsoft', groupsClaim }
  return { preset, issuer: '', name: '', slug: '', groupsClaim }
}

const empty: ProviderValues = {
  preset: 'google',
  slug: '',
  name: '',
  enabled: true,
  issuer: '',
  clientId: '',
  clientSecret: '',
  scopes: 'openid profile email',
  groupsClaim: 'groups',
  signsOut: true,
  signInUrl: '',
  logoutUrl: '',
  signsRequests: false,
  certificates: '',
  idpInitiated: false,
  emailAttribute: 'email',
  nameAttribute: 'displayName',
  groupsAttribute: 'groups',
  signUp: true,
  domains: '',
  enforced: false,
  rules: [],
  replacesManual: false,
}

/** A name in addresses that is made of another name; empty where that has too few Latin letters. */
const slugOf = (name: string): string => {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 40)
  return slugShape.test(slug) ? slug : ''
}

/** The names in addresses are the site's: an organisation begins with its own, which is free more often than `google`. */
export const newProvider = (owner: ProviderOwner): ProviderValues => ({
  ...empty,
  ...presetValues('google'),
  ...(owner === 'site' ? {} : { slug: slugOf(owner.name) }),
})

const presetOf = ({ connection, icon }: IdentityProvider): ProviderPreset => {
  if (connection.kind === 'saml') return 'saml'
  return icon === 'google' || icon === 'microsoft' ? icon : 'oidc'
}

const connectionValues = (connection: ProviderConnection): Partial<ProviderValues> =>
  connection.kind === 'oidc'
    ? {
        issuer: connection.issuer,
        clientId: connection.client_id,
        scopes: connection.scopes,
        groupsClaim: connection.groups_claim,
        signsOut: connection.signs_out,
      }
    : {
        issuer: connection.issuer,
        signInUrl: connection.sign_in_url,
        logoutUrl: connection.logout_url,
        signsRequests: connection.signs_requests,
        certificates: connection.certificates.join('\n\n'),
        idpInitiated: connection.idp_initiated,
        emailAttribute: connection.email_attribute,
        nameAttribute: connection.name_attribute,
        groupsAttribute: connection.groups_attribute,
      }

export const valuesOf = (provider: IdentityProvider): ProviderValues => ({
  ...empty,
  preset: presetOf(provider),
  slug: provider.slug,
  name: provider.name,
  enabled: provider.enabled,
  ...connectionValues(provider.connection),
  signUp: provider.sign_up,
  domains: provider.domains.join(', '),
  enforced: provider.enforced,
  rules: provider.rules.map(({ value, organisation_id, team_id, role }) => ({
    value,
    role,
    organisation: String(organisation_id),
    team: String(team_id),
  })),
  replacesManual: provider.replaces_manual,
})

export const domainsIn = (text: string): string[] =>
  text
    .split(/[\s,，]+/)
    .map((domain) => domain.toLowerCase().replace(/^@/, ''))
    .filter((domain) => domain !== '')

export const connectionOf = (values: ProviderValues): BodyInputOf<typeof createIdentityProvider>['connection'] =>
  values.preset === 'saml'
    ? {
        kind: 'saml',
        issuer: values.issuer,
        sign_in_url: values.signInUrl,
        logout_url: values.logoutUrl.trim(),
        signs_requests: values.signsRequests,
        certificates: values.certificates
          .split(/\n\s*\n|(?<=-----END CERTIFICATE-----)/)
          .filter((text) => text.trim() !== ''),
        idp_initiated: values.idpInitiated,
        email_attribute: values.emailAttribute,
        name_attribute: values.nameAttribute,
        groups_attribute: values.groupsAttribute,
      }
    : {
        kind: 'oidc',
        issuer: values.issuer,
        client_id: values.clientId,
        scopes: values.scopes,
        groups_claim: values.groupsClaim,
        signs_out: values.signsOut,
      }

export const bodyOf = (values: ProviderValues): BodyInputOf<typeof createIdentityProvider> => ({
  slug: values.slug,
  name: values.name,
  icon: icons[values.preset],
  enabled: values.enabled,
  connection: connectionOf(values),
  ...(values.clientSecret === '' ? {} : { client_secret: values.clientSecret }),
  sign_up: values.signUp,
  domains: domainsIn(values.domains),
  enforced: values.enforced,
  rules: values.rules.map(({ value, organisation, team, role }) => ({
    value,
    role,
    organisation_id: Number(organisation),
    team_id: Number(team),
  })),
  replaces_manual: values.replacesManual,
})

type Say = ReturnType<typeof useProviderMessages>

const isAddress = (text: string, schemes: RegExp): boolean => schemes.test(text) && URL.canParse(text)

/** Checks of the form before the server is asked; providers of organisations are reached by HTTPS alone. */
export const providerRules = (say: Say, ofOrganisation: boolean) => {
  const needed = (text: string): string | null => (text.trim() === '' ? say('required') : null)
  const onlyIn =
    (kind: 'saml' | 'oidc', check: (text: string) => string | null) => (text: string, all: ProviderValues) =>
      (all.preset === 'saml') === (kind === 'saml') ? check(text) : null
  const address = (text: string): string | null => {
    if (ofOrganisation) return isAddress(text, /^https:\/\//) ? null : say('httpsOnly')
    return isAddress(text, /^https?:\/\//) ? null : say('addressWrong')
  }
  return {
    name: needed,
    slug: (slug: string) => (slugShape.test(slug) ? null : say('slugWrong')),
    issuer: (text: string, all: ProviderValues) => (all.preset === 'saml' ? needed(text) : address(text)),
    clientId: onlyIn('oidc', needed),
    signInUrl: onlyIn('saml', address),
    logoutUrl: onlyIn('saml', (text) => (text.trim() === '' ? null : address(text.trim()))),
    certificates: onlyIn('saml', needed),
    domains: (text: string) => {
      const wrong = domainsIn(text).find((domain) => !/^([a-z0-9-]+\.)+[a-z0-9-]{2,}$/.test(domain))
      return wrong === undefined ? null : say('domainWrong', { domain: wrong })
    },
    enforced: (on: boolean, all: ProviderValues) =>
      on && !ofOrganisation && (!all.enabled || domainsIn(all.domains).length === 0) ? say('enforceWrong') : null,
    rules: {
      value: needed,
      organisation: needed,
    },
  }
}
