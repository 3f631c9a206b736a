import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { signInResult } from './session.ts'

/** Providers that send the browser back with a code. */
export const codeProviders = ['github', 'discord', 'linuxdo', 'oidc'] as const

/** Every account elsewhere that can be linked, in the order in which the console shows them. */
export const thirdParties = ['github', 'discord', 'oidc', 'linuxdo', 'wechat', 'telegram'] as const
export type ThirdParty = (typeof thirdParties)[number]

const text = z.string().max(4096).default('')
/** The invite code that a new account was brought by. */
const aff = z.string().max(255).default('')
/** WeChat has no page to go to: people type a code that they get there. */
const provider = z.object({ provider: z.enum(['github', 'discord', 'oidc', 'linuxdo', 'telegram']) })
export type StartableThirdParty = z.output<typeof provider>['provider']

/**
 * For clients that write the provider's address themselves. The state counts once, in the browser that asked for it, and
 * only for `provider` when given. For signed-in users it binds, unless `purpose` says otherwise.
 */
export const getOauthState = endpoint({
  method: 'GET',
  path: '/api/oauth/state',
  access: 'visitor',
  critical: 'begin',
  summary: 'A state for a redirect to GitHub or LinuxDO',
  query: z.object({
    aff,
    provider: z.enum(['github', 'linuxdo']).optional(),
    purpose: z.enum(['login', 'bind']).optional(),
  }),
  data: z.string(),
})

/** `url` is where to send the browser. */
const begun = z.object({ url: z.string(), state: z.string() })
export type ThirdPartyStart = z.output<typeof begun>

export const startThirdPartyLogin = endpoint({
  method: 'POST',
  path: '/api/oauth/:provider/login',
  access: 'visitor',
  critical: 'begin',
  changes: false,
  summary: 'Begins signing in with an account elsewhere',
  params: provider,
  body: z.object({ aff }),
  data: begun,
})

export const startThirdPartyBinding = endpoint({
  method: 'POST',
  path: '/api/oauth/:provider/bind',
  access: 'user',
  critical: 'begin',
  confirm: 'always',
  summary: 'Begins linking an account elsewhere to the own one',
  params: provider,
  data: begun,
})

/** The provider's answer. Message `bind` means that the account was linked; otherwise the caller is signed in. */
export const finishThirdParty = endpoint({
  method: 'GET',
  path: '/api/oauth/:provider',
  access: 'visitor',
  critical: 'proof',
  changes: true,
  summary: 'Finishes signing in with, or linking, an account of GitHub, Discord, LinuxDO or OIDC',
  params: z.object({ provider: z.enum(codeProviders) }),
  query: z.object({ code: text, state: text, error: text, error_description: text, iss: text }),
  data: signInResult,
})

export const weChatLogin = endpoint({
  method: 'GET',
  path: '/api/oauth/wechat',
  access: 'visitor',
  critical: 'proof',
  changes: true,
  summary: 'Signs in with the code that the WeChat account answered with',
  query: z.object({ code: text, aff }),
  data: signInResult,
})

export const weChatBind = endpoint({
  method: 'GET',
  path: '/api/oauth/wechat/bind',
  access: 'session',
  critical: 'proof',
  changes: true,
  confirm: true,
  summary: 'Links a WeChat account',
  query: z.object({ code: text }),
})

/** Query as Telegram signed it: every field but `hash` and `state` is part of the signed text. */
const telegramQuery = z.record(z.string().max(64), z.string().max(4096))

export const telegramLogin = endpoint({
  method: 'GET',
  path: '/api/oauth/telegram/login',
  access: 'visitor',
  critical: 'proof',
  changes: true,
  summary: 'Signs in with a linked Telegram account',
  query: telegramQuery,
  data: signInResult,
})

/** Answers 302 to `/setting`: browsers come here from Telegram's own button. */
export const telegramBind = endpoint({
  method: 'GET',
  path: '/api/oauth/telegram/bind',
  access: 'session',
  critical: 'proof',
  changes: true,
  confirm: true,
  summary: 'Links a Telegram account',
  query: telegramQuery,
})

export const linkable = ['email', ...thirdParties] as const
export type Linkable = (typeof linkable)[number]

export const binding = z.object({
  provider: z.enum(linkable),
  /** The name, address or id by which the owner recognises the binding. */
  name: z.string(),
  /** Unix seconds; 0 when it was linked in an older product. */
  created_time: z.int(),
  /** False if removing it would leave the account without any way to sign in. */
  removable: z.boolean(),
})
export type Binding = z.output<typeof binding>

export const listBindings = endpoint({
  method: 'GET',
  path: '/api/oauth/bindings',
  access: 'user',
  summary: 'The accounts linked to the own one',
  data: z.array(binding),
})

export const unbind = endpoint({
  method: 'DELETE',
  path: '/api/oauth/:provider',
  access: 'user',
  confirm: 'always',
  summary: 'Removes the link to an account elsewhere',
  params: z.object({ provider: z.enum(thirdParties) }),
})
