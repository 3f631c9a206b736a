import { defineMessages } from '../../lib/i18n.ts'

/** Words around every page that people see before they are signed in. */
export const useSignInMessages = defineMessages('sign-in', {
  zh: {
    theme: '切换主题',
    language: '语言',
    show: '显示密码',
    hide: '隐藏密码',
    done: '登录成功！',
  },
  en: {
    theme: 'Switch theme',
    language: 'Language',
    show: 'Show password',
    hide: 'Hide password',
    done: 'Signed in',
  },
})
