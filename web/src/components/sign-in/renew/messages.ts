import { defineMessages } from '../../../lib/i18n.ts'

/** Words of the dialog that renews a session over the page. */
export const useRenewMessages = defineMessages('renew-session', {
  zh: {
    title: '登录已过期',
    text: '请以 {{name}} 重新登录。已填写的内容会保留，请求会自动重试。',
    password: '密码',
    code: '验证码',
    recovery: '恢复码',
    useRecovery: '使用恢复码',
    useCode: '使用身份验证器应用',
    missing: '必填',
    submit: '登录',
    otherWays: '其他登录方式（新窗口）',
    later: '稍后',
    otherTitle: '已登录其他账户',
    otherText: '此页面由 {{name}} 打开，但当前登录的是 {{other}}。未发送任何内容。',
    again: '以 {{name}} 登录',
    goOn: '以 {{name}} 继续',
  },
  en: {
    title: 'Session expired',
    text: 'Sign in again as {{name}} to continue. Your input is kept and the request is retried automatically.',
    password: 'Password',
    code: 'Code',
    recovery: 'Recovery code',
    useRecovery: 'Use a recovery code',
    useCode: 'Use authenticator app',
    missing: 'Required',
    submit: 'Sign in',
    otherWays: 'Other ways to sign in (new window)',
    later: 'Later',
    otherTitle: 'Signed in with another account',
    otherText: 'This page was opened by {{name}}, but {{other}} is now signed in. Nothing was sent.',
    again: 'Sign in as {{name}}',
    goOn: 'Continue as {{name}}',
  },
})
