import { defineMessages } from '../../lib/i18n.ts'

export const useSecondStepMessages = defineMessages('second-step', {
  zh: {
    title: '两步验证',
    text: '请输入身份验证器应用中的 6 位验证码。',
    recoveryText: '请输入一个未使用过的恢复码，每个恢复码只能使用一次。',
    code: '验证码',
    recovery: '恢复码',
    missing: '请输入验证码！',
    submit: '验证',
    busy: '验证中…',
    useRecovery: '使用恢复码',
    useCode: '使用身份验证器应用',
    back: '返回登录',
  },
  en: {
    title: 'Two-step verification',
    text: 'Enter the 6-digit code from your authenticator app.',
    recoveryText: 'Enter an unused recovery code. Each code works once.',
    code: 'Code',
    recovery: 'Recovery code',
    missing: 'Enter a code',
    submit: 'Verify',
    busy: 'Verifying…',
    useRecovery: 'Use a recovery code',
    useCode: 'Use authenticator app',
    back: 'Back to sign-in',
  },
})
