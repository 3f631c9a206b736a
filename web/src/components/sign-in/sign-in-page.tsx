import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { languageOf, languages, setLanguage, useLanguage } from '../../lib/i18n.ts'
import { setThemeMode, useScheme } from '../../lib/preferences/theme-mode.ts'
import { useStatus } from '../../lib/status.ts'
import { Mark } from '../brand.tsx'
import { entranceShapes, LineIcon } from '../display/line-icon.tsx'
import { useSignInMessages } from './messages.ts'
import classes from './sign-in-page.module.css'

// Asked for at once, so that it comes with the form, but the form does not wait for it.
const pitch = import('./pitch.tsx')
const Pitch = lazy(async () => ({ default: (await pitch).Pitch }))

const Tools = () => {
  const say = useSignInMessages()
  const scheme = useScheme()
  const language = useLanguage()
  return (
    <div className={classes.tools}>
      <button
        type="button"
        aria-label={say('theme')}
        onClick={() => setThemeMode(scheme === 'dark' ? 'light' : 'dark')}
      >
        <LineIcon shape={entranceShapes[scheme === 'dark' ? 'moon' : 'sun']} />
      </button>
      <select
        aria-label={say('language')}
        value={language}
        onChange={({ currentTarget }) => setLanguage(languageOf(currentTarget.value))}
      >
        {languages.map(({ value, label }) => (
          <option key={value} value={value} lang={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}

/**
 * The frame of the pages before the console: signing in, registering, a lost password. It stands alone, without the
 * console's components, so that it loads at once.
 */
export const SignInPage = ({ children }: { children: ReactNode }) => {
  const status = useStatus()
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
        <Suspense>
          <Pitch />
        </Suspense>
      </section>
    </main>
  )
}
