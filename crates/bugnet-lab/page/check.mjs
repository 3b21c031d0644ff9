// Opens pages of `cargo bugnet report` in headless Chromium, and checks what a reader would notice.
//
//     npm install --no-save playwright-core        (and `apt-get install chromium`)
//     node crates/bugnet-lab/page/check.mjs REPORT.json [FOLDER]
//
// REPORT.json is what `cargo bugnet swarm --json` wrote. Two pages are made of it by the command in BUGNET (default:
// target/debug/cargo-bugnet): as it is, and with fifty failures whose names would end a script. Screenshots of each, at
// 1280 and 390 pixels, in light and dark, go to FOLDER (default: target/bugnet-lab/page).
//
// Checked: nothing is requested, nothing is written to the console, nothing runs, nothing scrolls sideways, every text
// has a contrast of at least 4.5 with its ground, the figures are those of the report, and fifty failures take less than
// a megabyte.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

// Packages are looked for where the command is given, for this folder has none.
const { chromium } = createRequire(resolve("package.json"))("playwright-core");

const WIDTHS = [1280, 390];
const SCHEMES = ["light", "dark"];
const FAILURES = 50;
const MOST_BYTES = 1_000_000;
const LEAST_CONTRAST = 4.5;

const [report, folder = "target/bugnet-lab/page"] = process.argv.slice(2);
if (!report) {
    console.error("usage: node crates/bugnet-lab/page/check.mjs REPORT.json [FOLDER]");
    process.exit(2);
}
mkdirSync(folder, { recursive: true });
const problems = [];
const demand = (holds, problem) => holds || problems.push(problem);

/// The report with many failures, each of which has a name and an input that would end a script.
function crowded(campaign) {
    const models = campaign.failures;
    const failure = (_, place) => ({
        ...models[place % models.length],
        number: place + 1,
        name: `</script><script>document.title = "ran"</script>${place}`,
        input: { ...models[place % models.length].input, text: "</pre><img src=x onerror=alert(1)>\n".repeat(40) },
    });
    return { ...campaign, failures: Array.from({ length: FAILURES }, failure) };
}

/// Makes a page of a report.
function page(name, campaign) {
    const [from, to] = [`${folder}/${name}.json`, `${folder}/${name}.html`];
    writeFileSync(from, JSON.stringify(campaign));
    const command = process.env.BUGNET ?? "target/debug/cargo-bugnet";
    execFileSync(command, ["bugnet", "report", "--from", from, "--output", to], { stdio: "inherit" });
    return to;
}

/// Runs in the page: what is wider than the window, and the texts that are hard to read on their ground.
function look(least) {
    const channels = (colour) => {
        const [red, green, blue, alpha = 1] = colour.match(/[\d.]+/g).map(Number);
        return { rgb: [red, green, blue], alpha };
    };
    const luminance = (rgb) => {
        const linear = rgb.map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    };
    const over = (top, ground) => top.rgb.map((value, at) => value * top.alpha + ground[at] * (1 - top.alpha));
    const ground = (element) => {
        if (!element) return [255, 255, 255];
        const own = channels(getComputedStyle(element).backgroundColor);
        return own.alpha === 1 ? own.rgb : over(own, ground(element.parentElement));
    };
    const unreadable = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let texts = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        const style = getComputedStyle(element);
        if (!node.textContent.trim() || !element.getClientRects().length || style.visibility === "hidden") continue;
        texts += 1;
        const below = ground(element);
        const colour = channels(element instanceof SVGElement ? style.fill : style.color);
        const [one, other] = [luminance(over(colour, below)), luminance(below)].sort((a, b) => b - a);
        const contrast = (one + 0.05) / (other + 0.05);
        if (contrast < least) unreadable.push(`${contrast.toFixed(2)}: ${node.textContent.trim().slice(0, 40)}`);
    }
    return {
        texts,
        unreadable: [...new Set(unreadable)],
        beyond: document.documentElement.scrollWidth - innerWidth,
        scripts: document.scripts.length,
        images: document.images.length,
        title: document.title,
        text: document.body.innerText,
        failures: document.querySelectorAll("section.failure").length,
    };
}

/// Opens a page in each way, and says what is wrong with it.
async function check(browser, name, campaign) {
    const file = page(name, campaign);
    const bytes = statSync(file).size;
    demand(bytes < MOST_BYTES, `${name}: ${bytes} bytes`);
    for (const width of WIDTHS) {
        for (const colorScheme of SCHEMES) {
            const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
            const tab = await context.newPage();
            const where = `${name} at ${width} px, ${colorScheme}`;
            const url = pathToFileURL(resolve(file)).href;
            tab.on("request", (request) => demand(request.url() === url, `${where}: requests ${request.url()}`));
            tab.on("console", (message) => problems.push(`${where}: console: ${message.text()}`));
            tab.on("pageerror", (error) => problems.push(`${where}: ${error}`));
            tab.on("dialog", (dialog) => { problems.push(`${where}: a script ran`); dialog.dismiss(); });
            await tab.goto(url);
            const seen = await tab.evaluate(look, LEAST_CONTRAST);
            demand(seen.beyond <= 0, `${where}: ${seen.beyond} px stand out to the right`);
            demand(seen.scripts === 0 && seen.images === 0 && seen.title !== "ran", `${where}: markup came in`);
            seen.unreadable.forEach((text) => problems.push(`${where}: contrast ${text}`));
            demand(seen.failures === campaign.failures.length, `${where}: ${seen.failures} failures`);
            const grouped = (count) => count.toLocaleString("en");
            const figures = [campaign.tests, campaign.failing_tests, ...campaign.failures.map((failure) => failure.hits)];
            figures.forEach((count) => demand(seen.text.includes(grouped(count)), `${where}: ${count} is not on it`));
            await tab.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png`, fullPage: width === 1280 && name === "whole" });
            console.log(`${where}: ${bytes} bytes, ${seen.texts} texts`);
            await context.close();
        }
    }
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
});
const campaign = JSON.parse(readFileSync(report, "utf8"));
await check(browser, "whole", campaign);
await check(browser, "crowded", crowded(campaign));
await browser.close();
problems.forEach((problem) => console.error(problem));
console.log(problems.length === 0 ? "nothing is wrong" : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);
