import { useNavigate, useRouter } from '@tanstack/react-router'
import type { StaffArea } from '@tollgate/contract/accounts/permissions'
import { useEffect, useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { useSession } from '../../lib/api/session.ts'
import { mayWrite } from '../../lib/api/staff.ts'
import { languages, setLanguage } from '../../lib/i18n.ts'
import { useOpenFirstSteps } from '../../lib/open-first-steps.ts'
import { setThemeMode } from '../../lib/preferences/theme-mode.ts'
import { useLogout } from '../header/avatar-menu.tsx'
import { themeModes } from '../header/theme-menu.tsx'
import { useShellMessages } from '../messages.ts'
import { useReachable } from '../navigation.ts'
import { loginPage } from '../pages.ts'
import { usePageTitle } from '../use-page-title.ts'
import type { ChooseByKey, Command } from './command.ts'
import { useLogFinds } from './log-finds.ts'
import { openShortcutSheet } from './opened.ts'
import classes from './palette.module.css'
import { useFinds } from './palette-find.ts'
import { usePaletteMessages } from './palette-messages.ts'

const creations = [
  { path: '/token', search: { add: '1' }, word: 'addToken', keywords: 'create new key token sk 新建 密钥' },
  {
    path: '/channel/add',
    search: {},
    word: 'addChannel',
    area: 'channels',
    keywords: 'add new create provider channel 新建',
  },
  {
    path: '/user/edit',
    search: {},
    word: 'addUser',
    area: 'users',
    keywords: 'add new create user invite account 新建',
  },
] as const satisfies readonly { path: string; search: object; word: string; area?: StaffArea; keywords: string }[]

const useCommands = (): readonly Command[] => {
  const shell = useShellMessages()
  const titleOf = usePageTitle()
  const say = usePaletteMessages()
  const navigate = useNavigate()
  const routes = useRouter().routesByPath
  const user = useSession()
  const logout = useLogout()
  const openGuide = useOpenFirstSteps()
  const places = useReachable()
  const mayTest = mayWrite(user, 'channels')
  const go = (path: string) => (): void => void navigate({ to: path as '/' })
  return [
    ...places.map((place) => ({
      id: place.path,
      label: titleOf(place),
      icon: place.icon,
      ...(place.keywords ? { keywords: place.keywords } : {}),
      ...(place.shortcut ? { hint: `g ${place.shortcut}` } : {}),
      run: go(place.path),
    })),
    ...creations
      .filter(
        ({ path, ...rest }) => path in routes && ('area' in rest ? mayWrite(user, rest.area) : user !== undefined),
      )
      .map(({ path, search, word, keywords }) => ({
        id: word,
        label: say(word),
        keywords,
        icon: 'plus' as const,
        run: () => void navigate({ to: path as '/', search }),
      })),
    ...(mayTest
      ? [
          {
            id: 'test',
            label: say('testChannel'),
            icon: 'send' as const,
            keywords: 'test channel check probe ping',
            fill: say('testFill'),
            run: () => undefined,
          },
        ]
      : []),
    ...(mayWrite(user, 'users')
      ? [
          {
            id: 'topUp',
            label: say('topUp'),
            icon: 'wallet' as const,
            keywords: 'top up user add funds balance credit give quota recharge 余额',
            fill: say('topUpFill'),
            run: () => undefined,
          },
        ]
      : []),
    ...themeModes.map((mode) => ({
      id: `theme:${mode.value}`,
      label: say('themeTo', { name: shell(mode.word) }),
      icon: mode.icon,
      run: () => setThemeMode(mode.value),
    })),
    ...languages.map((language) => ({
      id: `language:${language.value}`,
      label: say('languageTo', { name: language.label }),
      icon: 'chat' as const,
      run: () => setLanguage(language.value),
    })),
    ...(user && '/token' in routes
      ? [{ id: 'guide', label: say('guide'), icon: 'info' as const, run: openGuide }]
      : []),
    {
      id: 'shortcuts',
      label: shell('shortcuts'),
      icon: 'keyboard',
      hint: '?',
      run: () => setTimeout(openShortcutSheet),
    },
    ...(user
      ? [{ id: 'logout', label: shell('logout'), icon: 'logout' as const, run: () => void logout() }]
      : [{ id: 'login', label: titleOf(loginPage), icon: 'user' as const, run: go('/login') }]),
  ]
}

/** True if the label, the id or a further word of a command holds each of the words. */
const matches = ({ label, id, keywords = '' }: Command, words: readonly string[]): boolean => {
  const all = `${label} ${id} ${keywords}`.toLowerCase()
  return words.every((word) => all.includes(word))
}

interface ListProps {
  text: string
  onText: (text: string) => void
  /** Called with the id of the element of the chosen result. */
  onChosen: (element: string | undefined) => void
  onClose: () => void
  /** Called with what answers the keys of the input. */
  listen: (answer: ChooseByKey) => void
}

/** The pages, actions and objects that a text finds, one of which is chosen. */
export const PaletteList = ({ text, onText, onChosen, onClose, listen }: ListProps) => {
  const say = usePaletteMessages()
  const commands = useCommands()
  const [chosen, setChosen] = useState<{ readonly id: string; readonly text: string }>()
  const wanted = text.trim()
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const finds = useFinds(wanted)
  const logFinds = useLogFinds(wanted)
  const found = [
    ...logFinds,
    // The action whose text stands in the input is not offered again.
    ...commands.filter((command) => command.fill?.trim() !== wanted && matches(command, words)),
    ...finds,
  ]
  // The choice is kept by id: results that arrive later must not move it. Another text begins anew.
  const current = Math.max(
    0,
    found.findIndex(({ id }) => id === chosen?.id && chosen.text === text),
  )
  const run = (command: Command | undefined): void => {
    if (!command) return
    if (command.fill !== undefined) onText(command.fill)
    else {
      onClose()
      command.run()
    }
  }
  const pick = (id: string | undefined): void => setChosen(id === undefined ? undefined : { id, text })
  const element = found[current] ? `palette-${current}` : undefined
  useEffect(() => onChosen(element), [element, onChosen])
  useEffect(() =>
    listen((key) => {
      const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
      if (by !== 0) pick(found[(current + by + found.length) % Math.max(1, found.length)]?.id)
      else if (key === 'Enter') run(found[current])
      else return false
      return true
    }),
  )
  return (
    <div id="palette-list" role="listbox" aria-label={say('title')} className={classes.list}>
      {found.map((command, index) => (
        <div
          key={command.id}
          id={`palette-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          className={classes.item}
          // The input keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onMouseMove={() => pick(command.id)}
          onClick={() => run(command)}
          onKeyDown={undefined}
          ref={(node) => {
            if (index === current) node?.scrollIntoView?.({ block: 'nearest' })
          }}
        >
          <Icon name={command.icon} size={15} />
          <span>{command.label}</span>
          {command.hint && <kbd>{command.hint}</kbd>}
        </div>
      ))}
      {found.length === 0 && <p className={classes.nothing}>{say('nothing')}</p>}
    </div>
  )
}
