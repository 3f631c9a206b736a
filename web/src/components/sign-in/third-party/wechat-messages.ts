import { defineMessages } from '../../../lib/i18n.ts'

export const useWeChatMessages = defineMessages('wechat', {
  zh: {
    title: '微信扫码登录',
    bindTitle: '绑定微信账户',
    text: '微信扫码关注公众号，输入「验证码」获取验证码（三分钟内有效）',
    picture: '微信公众号二维码',
    code: '验证码',
    missing: '请输入验证码！',
    login: '登录',
    bind: '绑定',
    cancel: '取消',
    bound: '微信账户绑定成功！',
  },
  en: {
    title: 'Scan with WeChat to sign in',
    bindTitle: 'Link a WeChat account',
    text: 'Scan the QR code with WeChat to follow our account, then send 验证码 to get a code (valid for 3 minutes).',
    picture: 'QR code of the WeChat account',
    code: 'Verification code',
    missing: 'Enter the verification code',
    login: 'Sign in',
    bind: 'Link',
    cancel: 'Cancel',
    bound: 'WeChat account linked',
  },
})
