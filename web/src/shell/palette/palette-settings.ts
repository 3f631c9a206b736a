import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSession } from '../../lib/api/session.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import type { Command } from './command.ts'
import { usePaletteMessages } from './palette-messages.ts'

type Registry = typeof import('../../features/settings/searched.ts')

const mostSettings = 6
const leastCharacters = 2

/** Settings whose name, help or key holds all typed words. The registry is large: it is loaded when it is first searched. */
export const useSettingFinds = (text: string, isAdmin: boolean): readonly Command[] => {
  const say = usePaletteMessages()
  const language = useLanguage()
  const navigate = useNavigate()
  const role = useSession()?.role ?? 0
  const [registry, setRegistry] = useState<Registry>()
  const searches = isAdmin && text.length >= leastCharacters
  useEffect(() => {
    if (!searches || registry) return
    // Without it the palette finds everything else.
    import('../../features/settings/searched.ts').then(setRegistry, () => undefined)
  }, [searches, registry])
  if (!searches || !registry) return []
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return registry.allSections
    .flatMap((section) => registry.keysOf(section, role).map((key) => ({ section, key })))
    .filter(({ key }) => words.every((word) => registry.searchText(key).includes(word)))
    .slice(0, mostSettings)
    .map(({ section, key }) => ({
      id: `setting:${key}`,
      label: say('settingNamed', {
        name: textIn(registry.optionOf(key).label, language),
        section: textIn(section.title, language),
      }),
      icon: 'sliders',
      run: () => void navigate({ to: '/setting/$section', params: { section: section.name }, search: { field: key } }),
    }))
}
