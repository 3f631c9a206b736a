import { defineMessages } from '../../../lib/i18n.ts'

/** Words of the dialog that renews a session over the page. */
export const useRenewMessages = defineMessages('renew-session', {
  zh: {
    title: '登录已失效，请重新登录',
    text: '以 {{name}} 重新登录后继续，已填写的内容会保留，未完成的请求会自动重新发送。',
    password: '密码',
    code: '验证码',
    recovery: '恢复码',
    useRecovery: '使用恢复码',
    useCode: '使用验证码',
    missing: '请先填写',
    submit: '登录',
    otherWays: '其他登录方式（新窗口）',
    later: '稍后',
    otherTitle: '已登录其他账户',
    otherText: '此页面属于 {{name}}，而现在登录的是 {{other}}。没有发送任何内容。',
    again: '以 {{name}} 登录',
    goOn: '以 {{name}} 继续',
  },
  en: {
    title: 'Your session ended',
    text: 'Sign in again as {{name}} to go on. What you typed is kept, and the request is sent again by itself.',
    password: 'Password',
    code: 'Code',
    recovery: 'Recovery code',
    useRecovery: 'Use a recovery code',
    useCode: 'Use a code of the app',
    missing: 'Fill this in first',
    submit: 'Sign in',
    otherWays: 'Other ways to sign in (new window)',
    later: 'Later',
    otherTitle: 'Another account is signed in',
    otherText: 'This page belongs to {{name}}, but {{other}} is signed in now. Nothing was sent.',
    again: 'Sign in as {{name}}',
    goOn: 'Continue as {{name}}',
  },
})
