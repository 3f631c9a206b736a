import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useBaseUrl } from '../../lib/base-url.ts'
import { setLanguage, useLanguage } from '../../lib/i18n.ts'
import { useStatus } from '../../lib/status.ts'
import { setThemeMode, useScheme } from '../../lib/theme-mode.ts'
import { Mark } from '../brand.tsx'
import { Icon } from '../icon.tsx'
import { pythonSnippet, Snippet } from '../snippet.tsx'
import classes from './entrance.module.css'
import { useEntranceWords } from './messages.ts'

const Tools = () => {
  const say = useEntranceWords()
  const scheme = useScheme()
  const language = useLanguage()
  return (
    <div className={classes.tools}>
      <button
        type="button"
        aria-label={say('theme')}
        onClick={() => setThemeMode(scheme === 'dark' ? 'light' : 'dark')}
      >
        <Icon name={scheme === 'dark' ? 'moon' : 'sun'} />
      </button>
      <button
        type="button"
        lang={language === 'zh' ? 'en' : 'zh'}
        onClick={() => void setLanguage(language === 'zh' ? 'en' : 'zh')}
      >
        {say('language')}
      </button>
    </div>
  )
}

/**
 * The frame of the pages before the console: signing in, registering, a lost password. It stands alone, without the
 * console's components, so that it loads at once.
 */
export const Entrance = ({ children }: { children: ReactNode }) => {
  const say = useEntranceWords()
  const status = useStatus()
  const baseUrl = useBaseUrl()
  return (
    <main className={classes.page}>
      <section className={classes.left}>
        <Tools />
        <div className={classes.column}>
          <Link to="/" className={classes.brand}>
            <Mark />
            {status.system_name}
          </Link>
          {children}
        </div>
      </section>
      <section className={classes.right}>
        <div>
          <p className={classes.promise}>{say('promise')}</p>
          <Snippet code={pythonSnippet(baseUrl)} />
        </div>
      </section>
    </main>
  )
}
