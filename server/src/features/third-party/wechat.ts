import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import type { Outgoing } from '../../lib/security/outgoing.ts'
import type { ReadOption } from './ports.ts'
import { namesOf, type Profile, providerTexts } from './profile.ts'

const answer = z.object({ success: z.boolean(), message: z.string().default(''), data: z.string().default('') })

export interface WeChat {
  isEnabled(): boolean
  /** Asks the helper server whose code it is. Throws AppError('verification_code_wrong' | 'third_party_unreachable'). */
  identify(code: string): Promise<Profile>
}

/** Sign-in through the operator's WeChat account: a helper server hands out codes there and knows whose they are. */
export const createWeChat = ({ option, ask }: { option: ReadOption; ask: Outgoing }): WeChat => {
  const unreachable = (cause: unknown): never => {
    throw new AppError('third_party_unreachable', { params: namesOf('wechat'), cause })
  }

  return {
    isEnabled: () => option('WeChatAuthEnabled') && option('WeChatServerAddress') !== '',
    async identify(code) {
      if (code.trim() === '') throw new AppError('invalid_parameter')
      const query = new URLSearchParams({ code: code.trim() })
      const response = await ask(`${option('WeChatServerAddress')}/api/wechat/user?${query}`, {
        headers: { authorization: option('WeChatServerToken'), accept: 'application/json' },
      }).catch(unreachable)
      const read = answer.safeParse(await response.json().catch(() => undefined))
      if (!read.success)
        return unreachable(new Error(`The helper server answered ${response.status} in another shape.`))
      const { success, message, data } = read.data
      if (!success || data === '')
        throw new AppError('verification_code_wrong', { details: { helper: message.slice(0, 200) } })
      return {
        provider: 'wechat',
        prefix: providerTexts.wechat.prefix,
        subject: data,
        name: data,
        earlier: data,
        displayName: providerTexts.wechat.displayName,
      }
    },
  }
}
