import { defineMessages } from '../../../lib/i18n.ts'

export const useThirdPartyMessages = defineMessages('third-party', {
  zh: {
    or: '或',
    with: '使用 {{name}} 登录',
    withWeChat: '使用微信登录',
  },
  en: {
    or: 'or',
    with: 'Sign in with {{name}}',
    withWeChat: 'Sign in with WeChat',
  },
})
