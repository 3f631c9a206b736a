import { defineMessages } from '#web/lib/i18n.ts'

/** Messages for a person whose calls are captured. */
export const useInspectionMessages = defineMessages('inspection', {
  zh: {
    title: '调用检查',
    all: '管理员正在检查您的调用，至 {{time}}；正文会被暂时保存。',
    keys: '管理员正在检查令牌 {{keys}} 的调用，至 {{time}}；正文会被暂时保存。',
  },
  en: {
    title: 'Inspection',
    all: 'An administrator inspects your calls until {{time}}: their bodies are stored for a while.',
    keys: 'An administrator inspects calls of the key {{keys}} until {{time}}: their bodies are stored for a while.',
  },
})
