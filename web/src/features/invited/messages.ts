import { defineMessages } from '../../lib/i18n.ts'

export const useInvitedMessages = defineMessages('invited', {
  zh: {
    title: '设置密码',
    text: '你的账户已创建。设置密码后即可登录。',
    username: '用户名',
    password: '密码',
    passwordHint: '8 至 64 位',
    confirm: '设置密码',
    busy: '提交中…',
    missing: '请输入密码！',
    short: '密码长度不得小于 8 位！',
    long: '密码最多 64 个字符',
    badLink: '邀请链接不完整，请向邀请人索取新链接。',
    done: '密码已设置',
    goLogin: '前往登录',
  },
  en: {
    title: 'Set your password',
    text: 'Your account is ready. Set a password to sign in.',
    username: 'Username',
    password: 'Password',
    passwordHint: '8 to 64 characters',
    confirm: 'Set password',
    busy: 'Saving…',
    missing: 'Enter a password',
    short: 'Use at least 8 characters',
    long: 'Use at most 64 characters',
    badLink: 'This invitation link is incomplete. Ask for a new one.',
    done: 'Your password is set',
    goLogin: 'Go to sign-in',
  },
})
