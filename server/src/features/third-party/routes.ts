import {
  finishThirdParty,
  getOauthState,
  listBindings,
  startThirdPartyBinding,
  startThirdPartyLogin,
  telegramBind,
  telegramLogin,
  unbind,
  weChatBind,
  weChatLogin,
} from '@tollgate/contract'
import { clientOf } from '../../http/client.ts'
import type { ConsoleCaller, On } from '../../http/route.ts'
import type { Visitor } from './ports.ts'
import { browserCookie } from './states.ts'
import type { ThirdPartyService } from './third-party.ts'

interface Arriving {
  readonly ip: string
  readonly forwarded: boolean
  readonly caller: ConsoleCaller | undefined
  header(name: string): string | undefined
  cookie(name: string): string | undefined
}

export const visitorOf = (call: Arriving): Visitor => ({
  client: clientOf(call),
  caller: call.caller,
  browser: call.cookie(browserCookie),
  header: call.header,
})

/** Third-party sign-in and binding. */
export const thirdPartyRoutes = (on: On, thirdParty: ThirdPartyService): void => {
  on(getOauthState, (call) => thirdParty.state(call.query, visitorOf(call)))
  on(startThirdPartyLogin, (call) => thirdParty.startLogin(call.params.provider, call.body.aff, visitorOf(call)))
  on(startThirdPartyBinding, (call) => thirdParty.startBinding(call.params.provider, call.caller, visitorOf(call)))
  on(finishThirdParty, async (call) => {
    const entered = await thirdParty.finish(call.params.provider, call.query, visitorOf(call))
    return entered ?? { message: 'bind' }
  })
  on(weChatLogin, (call) => thirdParty.weChatLogin(call.query, visitorOf(call)))
  on(weChatBind, async (call) => {
    await thirdParty.weChatBind(call.query.code, call.caller, visitorOf(call))
    return {}
  })
  on(telegramLogin, (call) => thirdParty.telegramLogin(call.query, visitorOf(call)))
  on(telegramBind, async (call) => {
    await thirdParty.telegramBind(call.query, call.caller, visitorOf(call))
    return { redirect: '/setting' }
  })
  on(listBindings, async (call) => ({ data: await thirdParty.bindings(call.caller) }))
  on(unbind, async (call) => {
    await thirdParty.unbind(call.params.provider, call.caller, clientOf(call))
    return {}
  })
}
