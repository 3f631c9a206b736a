import { ActionIcon } from '@mantine/core'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { Mark } from '../../components/brand.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { useSession } from '../../lib/api/session.ts'
import { useStatus } from '../../lib/status.ts'
import { useShellMessages } from '../messages.ts'
import { consolePath, isPlaceOf } from '../navigation.ts'
import { aboutPage, homePage, loginPage, pricingPage, registerPage } from '../pages.ts'
import { openPalette } from '../palette/opened.ts'
import { usePageTitle } from '../use-page-title.ts'
import { AvatarMenu } from './avatar-menu.tsx'
import classes from './header.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { ThemeMenu } from './theme-menu.tsx'

const ModeBadge = () => {
  const say = useShellMessages()
  const status = useStatus()
  if (status.self_use_mode_enabled) return <span className={classes.mode}>{say('selfUse')}</span>
  if (status.demo_site_enabled) return <span className={classes.mode}>{say('demo')}</span>
  return null
}

const MainLinks = () => {
  const say = useShellMessages()
  const titleOf = usePageTitle()
  const status = useStatus()
  const user = useSession()
  const { pathname } = useLocation()
  const routes = useRouter().routesByPath
  const outside = pathname === '/' || ['/about', '/pricing'].some((path) => isPlaceOf(path, pathname))
  const item = (path: string, label: string, on: boolean) => (
    <Link key={path} to={path as '/'} className={classes.link} data-on={on || undefined}>
      {label}
    </Link>
  )
  return (
    <nav className={classes.links} aria-label={say('mainNavigation')}>
      {item('/', titleOf(homePage), pathname === '/')}
      {item(consolePath(routes, status, user), say('console'), !outside)}
      {'/pricing' in routes && item('/pricing', titleOf(pricingPage), isPlaceOf('/pricing', pathname))}
      {status.docs_link && (
        <a className={classes.link} href={status.docs_link} target="_blank" rel="noopener noreferrer">
          {say('docs')}
        </a>
      )}
      {item('/about', titleOf(aboutPage), pathname === '/about')}
    </nav>
  )
}

const SignInLink = () => {
  const titleOf = usePageTitle()
  const status = useStatus()
  const routes = useRouter().routesByPath
  const canRegister = '/register' in routes && !status.self_use_mode_enabled && status.register_enabled !== false
  return (
    <>
      {canRegister && (
        <Link to={'/register' as '/'} className={`${classes.link} ${classes.wideOnly}`}>
          {titleOf(registerPage)}
        </Link>
      )}
      <Link to="/login" className={classes.login}>
        {titleOf(loginPage)}
      </Link>
    </>
  )
}

/** The bar at the top: brand, main places, search, theme, language, account. */
export const Header = (props: { onMenu: () => void; menuOpen: boolean }) => {
  const say = useShellMessages()
  const status = useStatus()
  const user = useSession()
  return (
    <header className={classes.top}>
      <ActionIcon
        className={classes.narrowOnly}
        size={44}
        aria-label={props.menuOpen ? say('closeMenu') : say('openMenu')}
        aria-expanded={props.menuOpen}
        onClick={props.onMenu}
      >
        <Icon name={props.menuOpen ? 'close' : 'menu'} size={18} />
      </ActionIcon>
      <Link to="/" className={classes.brand}>
        <Mark />
        <span className="cut">{status.system_name}</span>
      </Link>
      <ModeBadge />
      <MainLinks />
      <span className={classes.grow} />
      <button type="button" className={classes.find} onClick={openPalette} aria-keyshortcuts="Control+K">
        <Icon name="search" size={14} />
        <span>{say('find')}</span>
        <kbd aria-hidden>Ctrl K</kbd>
      </button>
      <ThemeMenu />
      <LanguageMenu />
      {user ? <AvatarMenu user={user} /> : <SignInLink />}
    </header>
  )
}
