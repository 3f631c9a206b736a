import { defineMessages } from '../../lib/i18n.ts'

/** Texts of the warning about the default password. */
export const usePasswordMessages = defineMessages('default-password', {
  zh: {
    title: '你正在使用默认密码！',
    text: '超级管理员 root 仍在使用默认密码 123456，任何人都能用它登录。',
    change: '修改密码',
    later: '稍后',
  },
  en: {
    title: 'You are using the default password',
    text: 'The super admin root still has the default password 123456. Anyone can sign in with it.',
    change: 'Change password',
    later: 'Later',
  },
})
