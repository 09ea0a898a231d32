import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { textFor } from '../content/app-file.ts';
import { onColor } from '#base/colour.ts';
import { bestOf } from '#base/language-tag.ts';
import type { BuildInput } from '../targets/target.ts';
import { qualifiersOf } from './locales.ts';

/** Pixels of a plain icon, and of one that launchers cut out of a larger picture themselves. */
const DENSITIES = {
  mdpi: [48, 108],
  hdpi: [72, 162],
  xhdpi: [96, 216],
  xxhdpi: [144, 324],
  xxxhdpi: [192, 432],
} as const;

/** Writes names, icons and looks of the app below `folder`, for `aapt`. */
export async function writeResources(work: BuildInput, folder: string): Promise<void> {
  const { app, icon } = work;
  const put = async (path: string, content: string | Buffer) => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  };
  for (const [qualifier, name] of namesOf(work))
    await put(`values${qualifier}/name.xml`, resources(stringOf(name)));
  for (const [density, [plain, layer]] of Object.entries(DENSITIES)) {
    await put(`mipmap-${density}/icon.png`, await icon.plain(plain));
    await put(`mipmap-${density}/icon_front.png`, await icon.front(layer));
  }
  await put('mipmap-anydpi-v26/icon.xml', ADAPTIVE_ICON);
  await put('values/look.xml', resources(lookOf(app.color)));
  await put('values-v29/base.xml', resources(BY_DAY_AND_NIGHT));
}

/** The app's name for each mark of a language, and for all others under the empty mark. */
function namesOf({ app, name, site, log }: BuildInput): ReadonlyMap<string, string> {
  const names = new Map([['', name]]);
  const languages = new Set([...app.names.byLanguage.keys(), ...site.languages]);
  // Phones take what is not marked for a language they do not know of.
  if (bestOf(languages, app.language) === null) languages.add(app.language);
  for (const language of languages) {
    const qualifiers = qualifiersOf(language);
    if (qualifiers.length === 0)
      log.remark(`Phones cannot tell the language ${language} apart: it has no name of its own.`);
    for (const qualifier of qualifiers)
      names.set(`-${qualifier}`, textFor(app.names, language) ?? name);
  }
  return names;
}

const resources = (content: string): string =>
  `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n${content}\n</resources>\n`;

/** Anything but letters and digits is written by its number: nothing in a name means something. */
function stringOf(name: string): string {
  const line = name.replace(/\p{Cs}/gu, '\ufffd').replace(/[\s\p{Cc}]+/gu, ' ');
  const escaped = line.replace(
    /[^A-Za-z0-9]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  // A percent sign is no place for a value.
  return `<string name="name" formatted="false">${escaped}</string>`;
}

const ADAPTIVE_ICON = `<?xml version="1.0" encoding="utf-8"?>
<adaptive-icon xmlns:android="http://schemas.android.com/apk/res/android">
<background android:drawable="@color/app"/>
<foreground android:drawable="@mipmap/icon_front"/>
</adaptive-icon>
`;

/** The bars of the device in the app's colour. From Android 15 on they show the window behind. */
function lookOf(color: string): string {
  const isLight = onColor(color) === '#000000';
  return `<color name="app">${color}</color>
<style name="Base" parent="@android:style/Theme.Material.Light.NoActionBar"/>
<style name="App" parent="Base">
<item name="android:colorPrimary">@color/app</item>
<item name="android:colorPrimaryDark">@color/app</item>
<item name="android:windowBackground">@color/app</item>
<item name="android:statusBarColor">@color/app</item>
<item name="android:navigationBarColor">@color/app</item>
<item name="android:windowLightStatusBar">${isLight}</item>
<item name="android:windowLightNavigationBar">${isLight}</item>
</style>`;
}

/** The site follows the choice between light and dark where there is one. */
const BY_DAY_AND_NIGHT = `<style name="Base" parent="@android:style/Theme.DeviceDefault.DayNight">
<item name="android:windowActionBar">false</item>
<item name="android:windowNoTitle">true</item>
</style>`;
