import { checkOtherScreens, looks } from './every-screen.ts'

checkOtherScreens(looks.wide)
