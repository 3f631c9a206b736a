import { defineMessages } from '#web/lib/i18n.ts'

/** Messages for a person whose calls are captured. */
export const useInspectionMessages = defineMessages('inspection', {
  zh: {
    title: '调用检查',
    all: '管理员正在检查你的调用，至 {{time}}；请求与响应正文会暂时保存。',
    keys: '管理员正在检查令牌 {{keys}} 的调用，至 {{time}}；请求与响应正文会暂时保存。',
  },
  en: {
    title: 'Inspection',
    all: 'An administrator is inspecting your calls until {{time}}. Request and response bodies are stored temporarily.',
    keys: 'An administrator is inspecting calls of API key {{keys}} until {{time}}. Request and response bodies are stored temporarily.',
  },
})
