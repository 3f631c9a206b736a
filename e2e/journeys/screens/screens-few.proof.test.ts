import { checkFewScreens, looks } from './every-screen.ts'

checkFewScreens([...looks.wide, ...looks.phone])
