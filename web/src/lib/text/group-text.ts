import { defineMessages } from '../i18n.ts'

const useTexts = defineMessages('group-text', {
  zh: { standard: '默认分组', vip: 'VIP 分组', own: '用户分组' },
  en: { standard: 'Default group', vip: 'VIP group', own: 'Your group' },
})

/** Descriptions that groups have before an operator writes others, in the language of the mission. */
const standing = new Map<string, 'standard' | 'vip' | 'own'>([
  ['默认分组', 'standard'],
  ['vip分组', 'vip'],
  ['用户分组', 'own'],
])

/** Returns what says a group's description: those of a new site in the reader's language, an operator's own as written. */
export const useGroupText = (): ((description: string) => string) => {
  const say = useTexts()
  return (description) => {
    const key = standing.get(description)
    return key === undefined ? description : say(key)
  }
}
