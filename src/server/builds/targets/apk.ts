import { BuildFailure } from '../failure.ts';
import type { Target } from './target.ts';

/** Debian's names of what makes Android packages. */
const PACKAGES = 'aapt zipalign apksigner android-framework-res libsmali-java default-jre-headless';

/** Android apps are not made by this version: the log tells what the target is about. */
export const apk: Target = ({ log }) => {
  log.say('The target apk needs the Android tools, which are not installed on this server.');
  log.say(`On Debian they are: apt install ${PACKAGES}`);
  return Promise.reject(
    new BuildFailure('The target apk needs tools that are not installed; the log names them.'),
  );
};
