import { defineMessages } from '../../lib/i18n.ts'

export const useOauthCallbackMessages = defineMessages('oauth-callback', {
  zh: {
    busy: '处理中...',
    bound: '绑定成功！',
    done: '登录成功！',
    failed: '操作失败，重定向至登录界面中...',
    goingBack: '操作失败，即将返回...',
    unanswered: '登录请求无效，请重新发起',
    go: '立即前往',
  },
  en: {
    busy: 'Processing...',
    bound: 'Linked',
    done: 'Signed in',
    failed: 'Sign-in failed; going back to the sign-in page…',
    goingBack: 'That failed; going back...',
    unanswered: 'This sign-in is no longer valid; start again',
    go: 'Go now',
  },
})
